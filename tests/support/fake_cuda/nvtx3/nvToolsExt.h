// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

int nvtxRangePushA(const char* name);
int nvtxRangePop();
