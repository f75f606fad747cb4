"""JupyterLab's server of the instructor."""

c = get_config()

c.KernelManager.transport = "ipc"  # as for students: nobody else on the machine reads what cells print
c.ServerApp.terminado_settings = {"shell_command": ["/bin/bash"]}  # a login shell would forget where the course's programs are
# The formgrader is a page within JupyterLab's page, which JupyterHub forbids unless told otherwise.
c.ServerApp.tornado_settings = {"headers": {"Content-Security-Policy": "frame-ancestors 'self'"}}
