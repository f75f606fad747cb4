"""JupyterLab's server of a student."""

c = get_config()

# Kernels listen at files that only the student can open. At a TCP port, every account of the machine could read what their cells print.
c.KernelManager.transport = "ipc"

c.ServerApp.terminado_settings = {"shell_command": ["/bin/bash"]}  # a login shell would forget where the class's programs are
