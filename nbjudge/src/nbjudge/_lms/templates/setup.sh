#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
home="${NBJUDGE_HOME:-/opt/nbjudge}"  # outside of root's own folder: students' accounts read it

if command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y --no-install-recommends bubblewrap libseccomp2 python3 python3-venv
fi
mkdir -p "$home"
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    python3 -m venv "$home/venv"
else  # Ubuntu 22.04 has 3.10; uv fetches a newer one
    python3 -m venv "$home/uv"
    "$home/uv/bin/pip" install --quiet uv==@UV@
    UV_PYTHON_INSTALL_DIR="$home/python" "$home/uv/bin/uv" venv --seed --managed-python --python @PYTHON@ "$home/venv"
fi
# PyTorch for processors alone: the other one has gigabytes of libraries for graphics cards.
export PIP_EXTRA_INDEX_URL="${PIP_EXTRA_INDEX_URL-https://download.pytorch.org/whl/cpu}"
"$home/venv/bin/pip" install --quiet --no-cache-dir -r "$here/requirements.txt" -c "$here/constraints.txt"
cp -r "$here/lib" "$home/"
chmod -R a+rX "$home"
MPLCONFIGDIR="$home/matplotlib" "$home/venv/bin/python" -c 'import matplotlib.font_manager' || true  # its list of fonts takes seconds
