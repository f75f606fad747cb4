"""What nbgrader has to know in a student's JupyterLab. `course.json` comes from the course's own configuration."""

import json
import os
from pathlib import Path

from nbjudge import tell_what_is_known

c = get_config()
course = json.loads(Path(os.environ["HUB_FOLDER"], "settings", "course.json").read_text(encoding="utf-8"))

c.Exchange.root = os.environ["HUB_EXCHANGE"]
c.CourseDirectory.course_id = course["course_id"]
c.Report.ending = course["ending"]
tell_what_is_known()

# Validate's kernel talks through files that only the student can open, as the kernels in jupyter_server_config.py do.
c.KernelManager.transport = "ipc"
c.KernelManager.ip = str(Path(os.environ["JUPYTER_RUNTIME_DIR"], f"validate-{os.getpid()}"))
