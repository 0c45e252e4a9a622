#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same network and the same training step in PyTorch, TensorFlow and JAX, timed in turn with ours:
#   tests/bench/peers/run.sh build/release/bin/strategylab-cli MNIST_FOLDER [--rounds 5] [--batches 64,256] [--seconds 3]
#   tests/bench/peers/run.sh build/release/bin/strategylab-cli CIFAR10_FOLDER|random --network cifar10|resnet20 [--batches 64,256]
# The peers come from the Python package registry into a virtual environment, by default build/peers (git ignores
# build/); STRATEGYLAB_PEERS_DIR names another place. Some 6 GB. The machine should have nothing else to do.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
if [ $# -lt 2 ]; then
  echo "usage: $0 STRATEGYLAB_CLI MNIST_FOLDER [options of compare.py]" >&2
  exit 2
fi
cli=$1 data=$2
shift 2
[ -x "$cli" ] || { echo "$cli is no program: build strategylab-cli and name it" >&2; exit 2; }
environment=${STRATEGYLAB_PEERS_DIR:-$here/../../../build/peers}
if [ ! -x "$environment/bin/python" ]; then
  python3 -m venv "$environment"
fi
if ! "$environment/bin/python" -c 'import importlib.util as u, sys
sys.exit(any(u.find_spec(m) is None for m in ("torch", "tensorflow", "jax", "optax")))'; then
  "$environment/bin/pip" install --quiet --no-cache-dir -r "$here/requirements.txt"
fi
PYTHONDONTWRITEBYTECODE=1 exec "$environment/bin/python" "$here/compare.py" --cli "$cli" --data-dir "$data" "$@"
