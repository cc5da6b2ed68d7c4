// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire: what values of a run must hold, field by field.

#include "engine/policy/resolve.h"
#include "engine/wire/run_gate.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace binade::wire {

inline constexpr std::int64_t kLastStep = std::int64_t{1} << 53;  // above it, consecutive steps are equal as doubles,
                                                                  // which charts use
inline constexpr std::int64_t kLastSecond = 253'402'300'799;      // end of the year 9999
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 62;

/// Checks the fields of one value; keeps the first misfit.
class FieldCheck {
 public:
  explicit FieldCheck(std::size_t sites = 0) : sites_(sites) {}

  const Misfit& found() const { return found_; }
  bool well() const { return found_.what.empty(); }

  FieldCheck& that(bool holds, const std::string& field, const std::string& what) {
    return that(holds, field, [&] { return what; });
  }

  /// `what` is called only if it is needed: a run may have a million steps.
  template <class What>
  requires std::invocable<What> FieldCheck& that(bool holds, std::string_view field, const What& what) {
    if (!holds && well()) found_ = {{}, 0, std::string(field), what()};
    return *this;
  }

  FieldCheck& at_least(std::int64_t value, std::int64_t least, std::string_view field) {
    return that(value >= least, field,
                [&] { return "is " + std::to_string(value) + ", but the minimum is " + std::to_string(least); });
  }

  FieldCheck& step(std::int64_t value, std::string_view field) {
    return that(value >= 0 && value <= kLastStep, field,
                [&] { return "is " + std::to_string(value) + ", which is not a step"; });
  }

  FieldCheck& steps(std::int64_t first, std::int64_t last) {
    step(first, "first_step").step(last, "last_step");
    return that(first <= last, "last_step", "is " + std::to_string(last) + ", before first_step");
  }

  FieldCheck& site(int value, const std::string& field) {
    const bool known = value >= 0 && static_cast<std::size_t>(value) < sites_;
    return that(known, field,
                "is " + std::to_string(value) + ", and the run has " + std::to_string(sites_) + " op calls");
  }

  /// -1 means none.
  FieldCheck& site_or_none(int value, const std::string& field) { return value == -1 ? *this : site(value, field); }

  FieldCheck& finite(double value, const std::string& field) {
    return that(std::isfinite(value), field, "is not finite");
  }

  FieldCheck& duration(double value, std::string_view field) {
    return that(std::isfinite(value) && value >= 0, field, [] { return "is not a duration"; });
  }

  FieldCheck& time(std::int64_t value, const std::string& field) {
    const bool known = value >= 0 && value <= kLastSecond;
    return that(known, field, "is " + std::to_string(value) + ", which is not a time");
  }

  /// 0 is allowed: a scale that keeps backing off ends there.
  FieldCheck& scale(double value, std::string_view field) {
    return that(std::isfinite(value) && value >= 0, field, [] { return "is not a loss scale"; });
  }

  FieldCheck& rule(int value, std::size_t rules, const std::string& field) {
    const bool known = value >= policy::kFromOpChange && (value < 0 || static_cast<std::size_t>(value) < rules);
    return that(
        known, field,
        "is " + std::to_string(value) + ", and the policy has " + std::to_string(rules) + " rules for op calls");
  }

  FieldCheck& shape(const std::vector<std::int64_t>& shape, const std::string& field) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
      at_least(size, 0, field);
      if (!well()) return *this;
      const bool fits = size == 0 || elements <= kMostElements / size;
      that(fits, field, "has more elements than can be counted");
      if (fits) elements = std::max<std::int64_t>(1, elements * size);
    }
    return *this;
  }

 private:
  std::size_t sites_;
  Misfit found_;
};

}  // namespace binade::wire
