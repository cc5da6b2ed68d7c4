// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/trace.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace binade::diagnose {

/// Returns whether a call's op is one of `names`. Includes in-place forms: `add` matches aten::add and aten::add_.
bool is_op(const TracedCall& call, std::initializer_list<std::string_view> names);

/// The linear function `factor` * x + `offset` with constant coefficients. Clamps count as the identity.
struct Line {
  double factor = 1;
  double offset = 0;

  /// Returns whether the coefficients are these. Small differences of the offset are ignored, since a model may add an
  /// epsilon to keep a value away from 0 or 1.
  bool is(double wanted_factor, double wanted_offset) const;
  bool is_same() const { return is(1, 0); }
};

/// Finds calls of a traced step that are connected by linear functions. A search follows views, casts, clamps, and sums
/// and products with constants, over a few calls. Any other op ends it.
class TracedWalk {
 public:
  explicit TracedWalk(const Trace& trace) : trace_(trace) {}

  struct Reached {
    int call = -1;
    Line line;             ///< maps the values of the earlier call to those of the later one
    std::size_t argument;  ///< of `call`, index in the op's schema; set by all_in_front() and goes_to() only
  };

  const TracedCall& call(int id) const { return trace_.calls()[static_cast<std::size_t>(id)]; }
  const TracedValue& value(int id) const { return trace_.values()[static_cast<std::size_t>(id)]; }
  int count() const { return static_cast<int>(trace_.calls().size()); }

  /// Returns the nearest call of `names` that produces, up to a linear function, the argument `use` of call `id`.
  std::optional<Reached> made_by(int id, std::initializer_list<std::string_view> names, std::size_t use = 0) const;
  /// Returns the call of any op that produces the argument `use` of call `id`, up to views and casts.
  std::optional<int> maker(int id, std::size_t use) const;

  /// Returns the calls of `names` that use the result of `id`, up to a linear function, nearest first.
  std::vector<Reached> all_in_front(int id, std::initializer_list<std::string_view> names) const;
  std::optional<Reached> goes_to(int id, std::initializer_list<std::string_view> names) const;

  /// Returns whether the result of `id` contributes to an argument of a call of `names`, through any sums, products and
  /// selections.
  bool takes_part_in(int id, std::initializer_list<std::string_view> names) const;

  /// A call that uses a value, and the index of the argument in TracedCall::uses.
  struct Taker {
    int call;
    std::size_t use;
  };
  /// Returns the calls that use the result of `id`, nearest first.
  std::vector<Taker> takers(int id) const;

 private:
  const Trace& trace_;
};

/// Returns whether a call returns values of its first argument unchanged, all of them or a selection.
bool passes_values(const TracedCall& call);

}  // namespace binade::diagnose
