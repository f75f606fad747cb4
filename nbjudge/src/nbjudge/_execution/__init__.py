"""One notebook: student cells in a kernel, test cells in this process, a verdict for each. Usable without nbgrader."""
