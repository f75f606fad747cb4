"""JupyterLab as the course shows it: what `python -m attnlab` opens, and what a hub and plain `jupyter lab` take over from `jupyter/`."""
