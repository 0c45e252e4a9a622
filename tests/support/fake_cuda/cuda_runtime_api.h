// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cuda_runtime.h"
