// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/source_ranges.h"

#include "engine/formats/error.h"
#include "engine/graph/model_pickle.h"

#include <torch/csrc/jit/frontend/source_range.h>
#include <torch/csrc/jit/serialization/source_range_serialization.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

// Format: torch/csrc/jit/serialization/source_range_serialization.cpp.

namespace binade::graph {

namespace jit = torch::jit;

namespace {

using Kind = PickleNode::Kind;
using Ref = PickleNode::Ref;

/// An item of a tuple; null if the node is no tuple or has fewer items.
Ref item(Ref node, std::size_t index) {
  return node != nullptr && node->kind == Kind::kTuple && index < node->items.size() ? node->items[index] : nullptr;
}

std::optional<std::int64_t> whole(Ref node) {
  if (node == nullptr || node->kind != Kind::kInt) return std::nullopt;
  return node->number;
}

class Ranges : public jit::SourceRangeUnpickler {
 public:
  explicit Ranges(std::string record) : record_(std::move(record)) {}

  std::optional<jit::SourceRange> findSourceRangeThatGenerated(const jit::SourceRange& range) override {
    const std::scoped_lock lock(mutex_);
    if (!record_.empty()) read();
    const auto after = std::upper_bound(
        ranges_.begin(), ranges_.end(), range.start(),
        [](std::size_t start, const std::pair<std::size_t, jit::SourceRange>& each) { return start < each.first; });
    if (after == ranges_.begin()) return std::nullopt;
    return std::prev(after)->second;
  }

 private:
  void read() {
    const std::string record = std::exchange(record_, {});
    try {
      pickle_ = read_model_pickle(record, "the record of source lines");
    } catch (const Error&) {
      return;
    }
    Ref lines = pickle_.root;
    if (Ref format = item(lines, 0); format != nullptr && format->kind == Kind::kText) {
      table_ = item(pickle_.root, 1);
      lines = item(pickle_.root, 2);
    }
    if (lines == nullptr || lines->kind != Kind::kTuple) return;
    for (Ref line : lines->items) {
      const auto offset = whole(item(line, 0));
      auto range = range_of(item(line, 1));
      if (offset && *offset >= 0 && range) ranges_.emplace_back(*offset, std::move(*range));
    }
    std::stable_sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  std::optional<jit::SourceRange> range_of(Ref node) {
    const auto start = whole(item(node, 1));
    const auto end = whole(item(node, 2));
    const auto source = source_of(item(node, 0));
    if (source == nullptr || !start || !end || *start < 0 || *end < *start) return std::nullopt;
    // A tool that shortens paths in a stack leaves the range's end beyond the end of the text.
    const std::size_t size = source->size();
    if (static_cast<std::size_t>(*start) > size) return std::nullopt;
    return jit::SourceRange(source, *start, std::min(static_cast<std::size_t>(*end), size));
  }

  /// The tuple (text or indices of its lines in the table, file name or its index, first line).
  std::shared_ptr<jit::Source> source_of(Ref node) {
    if (node == nullptr) return nullptr;
    if (const auto found = sources_.find(node); found != sources_.end()) return found->second;
    const auto text = text_of(item(node, 0));
    const auto first = whole(item(node, 2));
    std::shared_ptr<jit::Source> source;
    if (text && first && *first >= 0) {
      Ref name = item(node, 1);
      if (const auto index = whole(name)) name = item(table_, static_cast<std::size_t>(*index));
      std::optional<std::string> file;
      if (name != nullptr && name->kind == Kind::kText) file = name->text;
      source = std::make_shared<jit::Source>(*text, std::move(file), *first);
    }
    return sources_.emplace(node, std::move(source)).first->second;
  }

  std::optional<std::string> text_of(Ref node) {
    if (node == nullptr) return std::nullopt;
    if (node->kind == Kind::kText) return node->text;
    if (node->kind == Kind::kCall && node->items.size() == 1) node = node->items[0];  // build_intlist
    if (node->kind != Kind::kList) return std::nullopt;
    constexpr std::size_t kMostTextBytes = std::size_t{1} << 27;  // of all texts together
    std::string text;
    for (Ref index : node->items) {
      const auto number = whole(index);
      Ref line = number ? item(table_, static_cast<std::size_t>(*number)) : nullptr;
      if (line == nullptr || line->kind != Kind::kText) return std::nullopt;
      text += line->text;
      made_ += line->text.size();
      if (made_ > kMostTextBytes) return std::nullopt;
    }
    return text;
  }

  std::mutex mutex_;
  std::string record_;
  ModelPickle pickle_;
  Ref table_ = nullptr;
  std::map<Ref, std::shared_ptr<jit::Source>> sources_;
  std::size_t made_ = 0;
  std::vector<std::pair<std::size_t, jit::SourceRange>> ranges_;
};

}  // namespace

std::shared_ptr<jit::SourceRangeUnpickler> source_ranges(std::string record) {
  return std::make_shared<Ranges>(std::move(record));
}

}  // namespace binade::graph
