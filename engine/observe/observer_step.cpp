// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/observer_step.h"

#include "engine/formats/scale_band.h"
#include "engine/graph/dtype_format.h"
#include "engine/observe/measure.h"
#include "engine/observe/measure_device.h"

#include <ATen/core/grad_mode.h>

#include <cmath>

namespace binade::observe {

namespace {

int number_of(const formats::Format& format) {
  return (format.exponent_bits * 32 + format.mantissa_bits) * 2 + (format.finite_only ? 1 : 0);
}

/// Returns whether, after a scan, a hundredth of the norm may be lost to 0: lost values are at most the limit, and the
/// norm is at least the largest value.
bool may_underflow(const formats::TensorStats& seen, const formats::Format& format) {
  if (seen.largest == 0) return false;
  const double most = format.underflow_limit() * std::sqrt(static_cast<double>(seen.count));
  return most >= formats::kLostNorm * static_cast<double>(seen.largest);
}

}  // namespace

int Observer::Step::add(Watched tensor) {
  tensor.id = static_cast<int>(watched.size());
  watched.push_back(std::move(tensor));
  place.push_back(-1);
  return watched.back().id;
}

int Observer::Step::id_of(const graph::Site& site, Watched::Kind kind, std::size_t argument,
                          const formats::Format& format, bool emulated) {
  const auto at = static_cast<std::size_t>(site.id);
  if (at >= known.size()) known.resize(at + 1);
  const int number = number_of(format);
  for (const Known& each : known[at]) {
    if (each.kind == kind && each.argument == argument && each.format == number && each.emulated == emulated) {
      return each.id;
    }
  }
  const bool named = kind == Watched::Kind::kInputGradient || kind == Watched::Kind::kInput;
  const std::string result = argument == 0 ? "" : std::to_string(argument);
  const int id = add({0, site.id, kind, named ? site.argument_names[argument] : result, format, emulated});
  known[at].push_back({kind, argument, number, emulated, id});
  return id;
}

int Observer::Step::id_of_parameter(const Parameter& parameter, Watched::Kind kind, const formats::Format& format) {
  const auto [entry, is_new] = known_parameters.try_emplace({parameter.name, kind, number_of(format)}, -1);
  if (is_new) entry->second = add({0, parameter.site, kind, parameter.name, format, false});
  return entry->second;
}

formats::TensorStats& Observer::Step::stats_of(int tensor) {
  int& at = place[static_cast<std::size_t>(tensor)];
  if (at < 0) {
    at = static_cast<int>(seen.size());
    seen.push_back({tensor, {}});
  }
  return seen[static_cast<std::size_t>(at)].stats;
}

/// Returns the depth of an observation; nullopt: scan only.
std::optional<formats::Depth> Observer::Step::depth_of(bool closely) const {
  switch (level) {
    case Level::kRange:
      return formats::Depth::kHistogram;
    case Level::kHistogram:
      return closely ? std::optional(formats::Depth::kFormats) : std::nullopt;
    case Level::kWhatIf:
      return formats::Depth::kWhatIf;
    case Level::kOff:
    case Level::kFinite:
      break;
  }
  return std::nullopt;
}

bool Observer::Step::leaves_out(const graph::Site& site) const {
  return level == Level::kOff || (!filter.empty() && !filter.at(static_cast<std::size_t>(site.id)));
}

bool Observer::Step::skips(const graph::Site& site) const {
  return site.view || leaves_out(site);
}

void Observer::Step::look(int tensor, const at::Tensor& values, bool closely) {
  if (!measurable(values)) return;
  const at::NoGradGuard no_history;
  const formats::Format& format = watched[static_cast<std::size_t>(tensor)].format;
  if (!values.is_cpu()) {
    stats_of(tensor);  // keeps the order of first observation
    if (const auto known = row_of.find(tensor); known != row_of.end()) {
      const DeviceRow& open = rows[known->second];
      const bool alike = open.dtype == values.scalar_type() && open.row.device() == values.device();
      if (alike && add_to_device_row(values, format, device_depth(), open.row)) return;
    }
    row_of[tensor] = rows.size();
    rows.push_back({tensor, values.scalar_type(), device_row(values, format, device_depth())});
  } else if (const auto depth = depth_of(closely)) {
    measure(values, format, stats_of(tensor), *depth);
  } else if (level != Level::kHistogram) {
    scan(values, format, stats_of(tensor));  // only overflow matters at this level
  } else {
    formats::TensorStats found;
    scan(values, format, found);
    if (may_underflow(found, format)) {
      found = {};
      measure(values, format, found, formats::Depth::kFormats);
    }
    formats::add(stats_of(tensor), found);
  }
}

void Observer::Step::observe_group(const Group& group, at::ScalarType dtype) {
  const at::NoGradGuard no_history;
  const at::Tensor found = device_rows(group.values, graph::stored_format(dtype), device_depth());
  for (std::size_t i = 0; i < group.ids.size(); ++i) {
    stats_of(group.ids[i]);
    rows.push_back({group.ids[i], dtype, found[static_cast<std::int64_t>(i)]});
  }
}

}  // namespace binade::observe
