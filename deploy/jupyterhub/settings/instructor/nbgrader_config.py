"""What nbgrader has to know in the instructor's JupyterLab, beside the course's own configuration, which is read after this one."""

import os

c = get_config()

c.Exchange.root = os.environ["HUB_EXCHANGE"]
c.CourseDirectory.root = os.environ["HUB_COURSE"]

# Students can write into the exchange. What one of them puts there must not replace another one's work, nor be a link to the course's files.
c.ExchangeFactory.collect = "nbjudge.CollectOwn"
