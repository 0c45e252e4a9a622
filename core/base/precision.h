// SPDX-License-Identifier: GPL-3.0-or-later
// The number format of products; sums are always float32.
#pragma once

namespace lab {

// Auto: the strategy's own choice. Bfloat16: operands of convolutions and matrix products are rounded to bfloat16, as
// in the TPU's matrix unit. Mixed: half precision with float32 weights; only the timing model knows it.
enum class Precision { Auto, Float32, Bfloat16, Mixed };

}  // namespace lab
