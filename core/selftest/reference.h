// SPDX-License-Identifier: GPL-3.0-or-later
// The reference for all backends: every operation as its definition reads, on the calling thread.
#pragma once

#include <memory>

#include "core/device/backend.h"
#include "core/device/layer_backend.h"

namespace lab {

std::unique_ptr<Backend> makeReferenceBackend();
std::unique_ptr<LayerBackend> makeReferenceLayers();

}  // namespace lab
