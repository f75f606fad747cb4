"""JupyterHub for one class on one machine: an instructor and students, each with a system user's account and a JupyterLab of their own.

What differs between machines stands in a file of its own, whose place the variable HUB_SITE gives (README.md lists what is in it).
"""

import os
import pwd
import shutil
import tomllib
from pathlib import Path

c = get_config()

site = tomllib.loads(Path(os.environ["HUB_SITE"]).read_text(encoding="utf-8"))
folder, environment, exchange = Path(site["folder"]), Path(site["environment"]), Path(site["exchange"])
state, packages, settings = folder / "state", folder / "packages", folder / "settings"  # only root can open the first

# Addresses: this machine alone. A web server with TLS stands in front of it; see README.md.
c.JupyterHub.bind_url = f"http://127.0.0.1:{site['port']}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{site['hub_port']}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{site['proxy_port']}"
c.ConfigurableHTTPProxy.command = [
    str(environment / "bin/node"),
    str(environment / "proxy/node_modules/configurable-http-proxy/bin/configurable-http-proxy"),
]
c.ConfigurableHTTPProxy.pid_file = str(state / "proxy.pid")

# What the hub remembers
c.JupyterHub.db_url = f"sqlite:///{state / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(state / "cookie_secret")

# Who may log in: these system users, with the passwords of their accounts. Nobody is an administrator of the hub.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.open_sessions = False
c.Authenticator.allowed_users = {site["instructor"], *site["students"]}

# Everybody's server is a process of that person's account.
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.env_keep = ["LANG", "LC_ALL"]
c.Spawner.http_timeout = c.Spawner.start_timeout = 120  # a first start on a busy machine
c.LocalProcessSpawner.interrupt_timeout = c.LocalProcessSpawner.term_timeout = 10
c.Spawner.environment = {
    "PATH": f"{environment / 'bin'}:/usr/local/bin:/usr/bin:/bin",
    "JUPYTER_PATH": str(packages / "share" / "jupyter"),  # the grader's Validate
    "HUB_FOLDER": str(folder),
    "HUB_EXCHANGE": str(exchange),
}
RUNTIME = Path("/run/self-attention-hub")  # short: the paths of sockets may have 107 letters
LAB = str(environment / "bin" / "jupyterhub-singleuser")


def own_runtime(person: pwd.struct_passwd) -> Path:
    """An empty folder that only this person can open, for the sockets of kernels."""
    place = RUNTIME / str(person.pw_uid)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, mode=0o700)
    RUNTIME.chmod(0o755)
    os.chown(place, person.pw_uid, person.pw_gid)
    return place


def open_as(spawner) -> None:
    """Give a person's server what `python -m attnlab` shows a learner, with the Assignment List, or what `make formgrader` shows an instructor."""
    person = pwd.getpwnam(spawner.user.name)
    teaches = spawner.user.name == site["instructor"]
    if teaches:
        configs, shown = [settings / "instructor"], settings / "lab"
    else:  # `pip` has put the bundle's settings among the packages; where two say something of one thing, the first one counts
        configs, shown = [settings / "student", packages / "etc" / "jupyter"], packages / "share" / "jupyter" / "lab" / "settings"
    spawner.environment["JUPYTER_CONFIG_PATH"] = os.pathsep.join(map(str, configs))
    spawner.args = [f"--LabApp.app_settings_dir={shown}"]
    spawner.default_url = "/lab"
    spawner.environment["JUPYTER_RUNTIME_DIR"] = str(own_runtime(person))
    if teaches:  # the server's folder is where nbgrader looks for the course's configuration, and Python for the course's own modules
        spawner.cmd = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', site["course"], LAB]
        spawner.notebook_dir = site["course"]
        spawner.environment["PYTHONPATH"] = f"{site['course']}:{packages}"
        spawner.environment["HUB_COURSE"] = site["course"]
    else:
        spawner.cmd = [LAB]
        spawner.notebook_dir = person.pw_dir
        spawner.environment["PYTHONPATH"] = str(packages)


c.Spawner.pre_spawn_hook = open_as
