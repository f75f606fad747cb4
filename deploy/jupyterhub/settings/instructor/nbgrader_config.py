"""What nbgrader has to know in the instructor's JupyterLab, beside the course's own configuration, which is read after this one."""

import os

c = get_config()  # noqa: F821 (nbgrader defines it)

c.Exchange.root = os.environ["HUB_EXCHANGE"]
c.CourseDirectory.root = os.environ["HUB_COURSE"]
