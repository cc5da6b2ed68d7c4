// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/trace.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace binade::diagnose {

/// Whether a call's op is one of these, in place or not: `add` is aten::add and aten::add_.
bool is_op(const TracedCall& call, std::initializer_list<std::string_view> names);

/// `factor` * x + `offset`, with plain numbers; clamps on the way are gone through.
struct Line {
  double factor = 1;
  double offset = 0;

  /// Whether it is that line, but for a constant that only keeps away from a limit.
  bool is(double wanted_factor, double wanted_offset) const;
  bool is_same() const { return is(1, 0); }
};

/// Walks between the calls of a traced step by what they compute: over views, casts, clamps, and sums and products with
/// plain numbers, a few calls far. What does anything else to the values ends the walk.
class TracedWalk {
 public:
  explicit TracedWalk(const Trace& trace) : trace_(trace) {}

  struct Reached {
    int call = -1;
    Line line;             ///< of the values at the end that is nearer to the loss, from those at the other
    std::size_t argument;  ///< of what takes them, position in the op's schema; of goes_to() only
  };

  const TracedCall& call(int id) const { return trace_.calls()[static_cast<std::size_t>(id)]; }
  const TracedValue& value(int id) const { return trace_.values()[static_cast<std::size_t>(id)]; }
  int count() const { return static_cast<int>(trace_.calls().size()); }

  /// The nearest call of `names` whose result, on a line, is what `id` takes as use `use`.
  std::optional<Reached> made_by(int id, std::initializer_list<std::string_view> names, std::size_t use = 0) const;
  /// The same of the call that makes what use `use` is, whatever it is, gone back over views and casts alone.
  std::optional<int> maker(int id, std::size_t use) const;

  /// The calls of `names` that take the result of `id` on a line, nearest first.
  std::vector<Reached> all_in_front(int id, std::initializer_list<std::string_view> names) const;
  std::optional<Reached> goes_to(int id, std::initializer_list<std::string_view> names) const;

  /// Whether what `id` made takes part in what a call of `names` is given, over sums, products and choices of any kind.
  bool takes_part_in(int id, std::initializer_list<std::string_view> names) const;

  /// Calls that take what `id` made, with the use, nearest first.
  struct Taker {
    int call;
    std::size_t use;
  };
  std::vector<Taker> takers(int id) const;

 private:
  const Trace& trace_;
};

/// Whether a call gives the values of its first argument, all or some of them, as they are.
bool passes_values(const TracedCall& call);

}  // namespace binade::diagnose
