// SPDX-License-Identifier: Apache-2.0
// The tensors among the values of a pickle.
#include "engine/files/pickle.h"
#include "engine/formats/error.h"

#include <variant>

namespace binade::files {

namespace {

using Ref = PickleValue::Ref;

/// Collects tensors depth first; one that nests or repeats values without end is given up.
class Collector {
 public:
  explicit Collector(const std::string& what) : what_(what) {}

  void collect(Ref value, const std::string& path, int depth) {
    constexpr int kDeepest = 64;
    constexpr int kMostObjects = 4'000'000;
    if (depth > kDeepest || ++seen_ > kMostObjects) {
      throw Error(ErrorCode::kBadFile, what_ + " cannot be read: its values nest too deeply",
                  "Save a dict of names and tensors.");
    }
    if (const auto* tensor = std::get_if<at::Tensor>(&value->value)) {
      found.emplace_back(path, *tensor);
    } else if (const auto* list = std::get_if<PickleValue::List>(&value->value)) {
      collect_items(list->items, path, depth);
    } else if (const auto* tuple = std::get_if<PickleValue::Tuple>(&value->value)) {
      collect_items(tuple->items, path, depth);
    } else if (const auto* dict = std::get_if<PickleValue::Dict>(&value->value)) {
      for (const auto& [key, item] : dict->items) {
        if (const auto* text = std::get_if<std::string>(&key->value)) {
          collect(item, joined(path, *text), depth + 1);
        } else if (const auto* number = std::get_if<std::int64_t>(&key->value)) {
          collect(item, joined(path, std::to_string(*number)), depth + 1);
        }
      }
    }
  }

  std::vector<std::pair<std::string, at::Tensor>> found;

 private:
  static std::string joined(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }
  void collect_items(const std::vector<Ref>& items, const std::string& path, int depth) {
    for (std::size_t i = 0; i < items.size(); ++i) collect(items[i], joined(path, std::to_string(i)), depth + 1);
  }

  const std::string& what_;
  int seen_ = 0;
};

}  // namespace

std::vector<std::pair<std::string, at::Tensor>> tensors_in(const Pickle& pickle, const std::string& what) {
  Collector collector(what);
  collector.collect(pickle.root, {}, 0);
  return std::move(collector.found);
}

}  // namespace binade::files
