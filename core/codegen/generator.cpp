// SPDX-License-Identifier: GPL-3.0-or-later
// For comparisons: generates StrategyLab's random numbers, shuffle and initial weights (base/rng, data/input,
// model/neural_network) in Python, so that the program needs no file with them.
#include "core/codegen/parts.h"

namespace lab {
namespace {

using Beat = ProgramBeat;

void addRng(ProgramLines& lines) {
  addAside(lines, {}, R"(

class Rng:  # StrategyLab's: xoshiro256** seeded through splitmix64
    MASK = 2**64 - 1

    def __init__(self, seed, stream):
        self.state, y = [], self.mixed(seed + 0x9E3779B97F4A7C15) ^ (stream * 0xD1342543DE82EF95 & self.MASK)
        for i in range(1, 5):
            self.state.append(self.mixed(y + i * 0x9E3779B97F4A7C15))

    def mixed(self, x):
        z = x & self.MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & self.MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & self.MASK
        return z ^ z >> 31

    def rotated(self, x, by):
        return (x << by | x >> 64 - by) & self.MASK

    def next(self):
        a, b, c, d = self.state
        result = self.rotated(b * 5 & self.MASK, 7) * 9 & self.MASK
        c, d = c ^ a, d ^ b
        self.state = [a ^ d, b ^ c, c ^ (b << 17 & self.MASK), self.rotated(d, 45)]
        return result

    def below(self, bound):
        product = self.next() * bound
        while product & self.MASK < 2**64 % bound:
            product = self.next() * bound
        return product >> 64

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53
)");
}

}  // namespace

void addGenerator(ProgramLines& lines, const ProgramParts& parts) {
  if (parts.ownOrder() || parts.ownWeights()) addRng(lines);
  if (parts.ownOrder())
    addAside(lines, {Beat::Batch}, R"(

def order_of(epoch, examples):  # as StrategyLab's shuffle(BUFFER_SIZE) draws it
    rng, buffer, order = Rng(SEED, (0x53 << 56) ^ epoch), list(range(min(BUFFER_SIZE, examples))), []
    following = len(buffer)
    while buffer:
        slot = rng.below(len(buffer))
        order.append(buffer[slot])
        if following < examples:
            buffer[slot] = following
            following += 1
        else:
            buffer[slot] = buffer[-1]
            buffer.pop()
    return np.array(order)
)");
  if (parts.ownWeights())
    addAside(lines, {Beat::Variables}, R"(

def initial_weights(index, shape):  # Glorot uniform, as StrategyLab draws it
    if len(shape) < 2:
        return np.zeros(shape, np.float32)
    limit, rng = math.sqrt(6 / (math.prod(shape[:-2]) * (shape[-2] + shape[-1]))), Rng(SEED, 1 + index)
    values = [(2 * rng.uniform() - 1) * limit for _ in range(math.prod(shape))]
    return np.array(values, np.float32).reshape(shape)
)");
}

}  // namespace lab
