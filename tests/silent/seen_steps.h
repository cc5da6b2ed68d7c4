// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/symptom.h"
#include "engine/wire/comparison.h"
#include "engine/wire/records.h"
#include "engine/words/silent_text.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::test {

/// Sites of a small model, as a run describes them; the ops are made up.
inline std::vector<wire::SiteInfo> someSites(int number) {
  std::vector<wire::SiteInfo> sites;
  for (int i = 0; i < number; ++i) {
    wire::SiteInfo site;
    site.id = i;
    site.key.path = "layer" + std::to_string(i);
    site.key.op = "aten::linear";
    sites.push_back(site);
  }
  return sites;
}

/// A symptom in words.
inline std::string sentence(const silent::Symptom& symptom) {
  return words::silent_sentence(silent::fault_of(symptom), someSites(8));
}
/// What to do about it.
inline std::string next(const silent::Symptom& symptom) {
  return words::silent_next(silent::fault_of(symptom), someSites(8));
}

/// What a comparison says of a site, as far as a test minds.
struct Compared {
  int site = 0;
  double forward = 0;
  double added = 0;
  bool measured = false;
  std::optional<double> gradient_added = {};
  double arrived = 0;
  double inherited = 0;
  double becomes = 0;
  int becomes_at = -1;
  double zeroed = 0;
  std::optional<double> gradient_zeroed = {};

  operator wire::SiteDifference() const {  // implicit: lists of them read as they are
    return {site,           1,       forward,   added,   measured,   {},     {},
            gradient_added, arrived, inherited, becomes, becomes_at, zeroed, gradient_zeroed};
  }
};

/// A step with one observation of each of `tensors`, whose ids count from 0.
struct SeenStep {
  wire::StepRecord record;
  std::vector<wire::WatchedTensor> tensors;

  explicit SeenStep(std::int64_t step = 0) {
    record.step = step;
    record.scale = 1024;
    record.loss = 1;
    record.gradient_norm = 1;
  }

  formats::TensorStats& add(int site, wire::WatchedTensor::Kind kind, const std::vector<float>& values,
                            formats::Format format = formats::kFloat16) {
    wire::WatchedTensor tensor;
    tensor.id = static_cast<int>(tensors.size());
    tensor.site = site;
    tensor.kind = kind;
    tensor.format = format;
    if (kind == wire::WatchedTensor::Kind::kInputGradient) tensor.argument = "weight";
    tensors.push_back(tensor);
    record.observations.push_back({tensor.id, formats::measure(values, format, formats::Depth::kFormats)});
    return record.observations.back().stats;
  }
};

}  // namespace binade::test
