"""The sandboxed kernel for Jupyter programs."""
