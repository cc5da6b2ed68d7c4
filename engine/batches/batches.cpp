// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/batches.h"

#include "engine/formats/error.h"

#include <algorithm>

namespace binade::batches {

namespace {

/// Returns the index of the target `name` among `count` targets.
template <class NameOf>
std::size_t find(const std::string& name, std::size_t count, NameOf name_of) {
  if (name.empty() && count == 1) return 0;
  std::string known;
  for (std::size_t i = 0; i < count; ++i) {
    if (name_of(i) == name) return i;
    known += (i == 0 ? "" : ", ") + name_of(i);
  }
  if (count == 0) {
    throw Error(ErrorCode::kBadRun, "The loss needs a target, but the data has none",
                "Name the column to compare with in data.targets.");
  }
  if (name.empty()) {
    throw Error(ErrorCode::kBadRun, "The loss does not name its target; the data has " + known,
                "Set the field target of the loss.");
  }
  throw Error(ErrorCode::kBadRun, "The loss takes the target \"" + name + "\", which the data does not have",
              "The data has " + known + ".");
}

}  // namespace

const at::Tensor& Batch::target(const std::string& name) const {
  return targets[find(name, targets.size(), [&](std::size_t i) { return targets[i].first; })].second;
}

Batch BatchSource::peek(std::int64_t ahead) {
  struct Back {
    BatchSource& source;
    std::int64_t to;
    ~Back() { source.seek(to); }
  };
  const Back back{*this, cursor()};
  seek(back.to + ahead);
  return next();
}

const TargetInfo& target_info(const BatchSource& source, const std::string& name) {
  const auto& all = source.targets();
  return all[find(name, all.size(), [&](std::size_t i) { return all[i].name; })];
}

std::optional<files::LabelRange> labels(const BatchSource& source, const std::string& name) {
  return target_info(source, name).labels;
}

}  // namespace binade::batches
