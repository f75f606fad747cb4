"""Lets Jupyter programs start a sandboxed, warm student kernel by name: nbclient, nbconvert, nbval, JupyterLab.

The kernel's name is written down by `install_kernelspec`; jupyter_client finds this class through an entry point.
"""

import asyncio
import json
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import Bool, List, Unicode

from nbjudge._sandbox.running import RunningKernel
from nbjudge._sandbox.starting import shared_kernels
from nbjudge._wire.limits import Limits

KERNEL_NAME = "nbjudge"
LOOK_SECONDS = 0.02


class SandboxProvisioner(KernelProvisionerBase):
    """Starts a kernel from this process's warm one. The working folder is empty; the course folder is out of sight."""

    packages = List(Unicode(), help="Importable packages that live outside Python's own folders.").tag(config=True)
    sandbox = Bool(True, help="False runs the kernel without any protection.").tag(config=True)

    _kernel: RunningKernel | None = None

    @property
    def has_process(self) -> bool:
        """Whether there is a kernel, running or not yet collected."""
        return self._kernel is not None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Nothing to prepare: there is no command to run."""
        return {**kwargs, "cmd": [], "env": {}}

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork a kernel; returns its connection info. Raises `SandboxMissing`, `KernelStartFailed`."""
        warm = shared_kernels(tuple(self.packages), self.sandbox)
        key = self.parent.session.key.decode() if self.parent else ""
        self._kernel = warm.start(Limits(), connection={"key": key} if key else {})
        connection = self._kernel.connection or {}
        return cast(KernelConnectionInfo, {**connection, "key": connection["key"].encode()})

    async def poll(self) -> int | None:
        """None while the kernel runs, else 1: how it ended is in `RunningKernel.ended`."""
        return None if self._kernel is None or self._kernel.poll() is None else 1

    async def wait(self) -> int | None:
        """Wait for the end of the kernel."""
        while await self.poll() is None and self._kernel is not None:
            await asyncio.sleep(LOOK_SECONDS)
        self._close()
        return 0

    async def send_signal(self, signum: int) -> None:
        """An interrupt interrupts; any other signal ends the kernel."""
        if self._kernel is None:
            return
        if signum == signal.SIGINT:
            self._kernel.interrupt()
        elif signum != 0:
            self._close()

    async def kill(self, restart: bool = False) -> None:
        """End the kernel and everything that it started."""
        self._close()

    async def terminate(self, restart: bool = False) -> None:
        """The same as `kill`: a student kernel has nothing to save."""
        self._close()

    async def cleanup(self, restart: bool = False) -> None:
        """Remove the kernel's box."""
        self._close()

    def _close(self) -> None:
        if self._kernel is not None:
            self._kernel.close()
            self._kernel = None


def install_kernelspec(packages: tuple[str, ...] = (), prefix: str = sys.prefix) -> str:
    """Write the kernel specification under `prefix`, so that programs find the kernel by `KERNEL_NAME`; returns its folder."""
    config = {"packages": list(packages)}
    specification = {
        "argv": [],
        "display_name": "Python (sandboxed by the grader)",
        "language": "python",
        "metadata": {"kernel_provisioner": {"provisioner_name": "nbjudge-provisioner", "config": config}},
    }
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "kernel.json").write_text(json.dumps(specification, indent=1))
        return KernelSpecManager().install_kernel_spec(folder, KERNEL_NAME, prefix=prefix)
