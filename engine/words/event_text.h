// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace binade::words {

/// What the ids in an event refer to.
struct Names {
  std::span<const wire::SiteInfo> sites{};
  /// Returns the tensor with this id, or null; valid during the call that the names are passed to. May be empty.
  std::function<const wire::WatchedTensor*(int id)> tensor{};
};

/// An event in one or a few sentences: what happened, where, at which step, and what to do. Without names it names
/// no op call.
std::string sentence_of(const wire::Event& event, const Names& names);

/// The verdict of an event's replay, as explanation_of(Diagnosis) gives it; empty if the step was not replayed.
std::string explanation_of(const wire::Event& event, const Names& names);

/// Collects the names of a run from what it reports.
class NameBook {
 public:
  void add(const wire::RunStarted& started);
  void add(const wire::StepRecord& step);

  Names names() const;
  std::string sentence_of(const wire::Event& event) const { return words::sentence_of(event, names()); }
  std::string explanation_of(const wire::Event& event) const { return words::explanation_of(event, names()); }

 private:
  std::vector<wire::SiteInfo> sites_;
  std::map<int, wire::WatchedTensor> tensors_;
};

}  // namespace binade::words
