"""The lessons in a JupyterLab that runs in a browser alone: JupyterLite, with Pyodide for Python."""
