"""JupyterLab's server of a student."""

c = get_config()  # noqa: F821 (Jupyter defines it)

# Kernels listen at files in the student's home. At a TCP port, every account of the machine could read what their cells print.
c.KernelManager.transport = "ipc"
