// SPDX-License-Identifier: GPL-3.0-or-later
// In which numbers products are computed; sums are float32 always.
#pragma once

namespace lab {

// Auto: the strategy's own. Bfloat16: operands of convolutions and matrix products are rounded to bfloat16, as the
// TPU's matrix unit does. Mixed: half precision with float32 weights, known to the timing model alone.
enum class Precision { Auto, Float32, Bfloat16, Mixed };

}  // namespace lab
