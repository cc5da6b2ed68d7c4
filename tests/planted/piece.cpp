// SPDX-License-Identifier: Apache-2.0
#include "tests/planted/piece.h"

namespace binade::test {

namespace {

// Each of these has an intermediate value that the low format turns into 0 or an infinity, for any finite `c` that is
// not 0 everywhere. In float32 the value adds at most a few thousandths to `c`, so the gap to a training in float32 is
// that of the formats elsewhere.

/// The values of `total` are beyond 2^12, where float16 has steps of 4 and bfloat16 of 32.
std::vector<Piece> in_both() {
  return {
      {"cancellation: x + c - c",
       "a = torch.tanh(c) * 0.25 + 1.0\n"
       "d = (a + 4096.0) - 4096.0\n"
       "u = c + torch.reciprocal(d) * 0.001",
       "aten::add", 1},
      {"accumulation: a sum in a loop",
       "zero = torch.mean(c) * 0.0\n"
       "total = zero + 4096.0\n"
       "one = zero + 1.0\n"
       "for i in range(64):\n"
       "    total = total + one\n"
       "u = c + torch.reciprocal(total - 4096.0) * 0.001",
       "aten::add", 2},
      {"cancellation: a factor of 32",
       "a = torch.tanh(c) * 0.0 + 1.0\n"
       "d = (a + 4096.0) - 4096.0\n"
       "u = c * (d * -31.0 + 32.0)",
       "aten::add", 1, /*at_end=*/true},
  };
}

/// Products beyond 65504. The last factor brings them back to at most 2^-10.
std::vector<Piece> beyond_float16() {
  return {
      {"range: product",
       "large = c * 4194304.0\n"
       "u = large * 2.384185791015625e-07",
       "aten::mul", 0},
      {"range: squares",
       "s = torch.tanh(c) * 16384.0\n"
       "q = s * s\n"
       "u = c + q * 3.637978807091713e-12",
       "aten::mul", 1},
      {"range: matrix product",
       "s = torch.flatten(torch.tanh(c), 1) * 16384.0\n"
       "p = torch.matmul(s, s.t())\n"
       "u = c + torch.mean(p) * 2.220446049250313e-16",
       "aten::matmul", 0},
  };
}

/// Sums at which bfloat16 has steps of 2 or more, but float16 is exact, or its list computes them in float32.
std::vector<Piece> beyond_bfloat16() {
  return {
      {"cancellation: variance by E[x^2] - E[x]^2",
       "b = torch.tanh(c) * 0.125 + 0.5\n"
       "y = torch.stack([b, -b]) + 300.0\n"
       "m = torch.mean(y, [0])\n"
       "v = torch.mean(y * y, [0]) - m * m\n"
       "u = c + torch.reciprocal(v) * 0.001",
       "aten::add", 1},
      {"accumulation: differences of a cumulative sum",
       "one = torch.mean(c) * 0.0 + 1.0\n"
       "total = torch.cumsum(one.expand([600]), 0)\n"
       "d = total[1:] - total[:-1]\n"
       "u = c + torch.mean(torch.reciprocal(d)) * 0.001",
       "aten::cumsum", 0},
  };
}

std::vector<Piece> joined(std::vector<Piece> first, const std::vector<Piece>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

const std::vector<Piece>& pieces(const formats::Format& low) {
  static const std::vector<Piece> float16 = joined(in_both(), beyond_float16());
  static const std::vector<Piece> bfloat16 = joined(in_both(), beyond_bfloat16());
  return low == formats::kFloat16 ? float16 : bfloat16;
}

}  // namespace binade::test
