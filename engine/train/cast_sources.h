// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <c10/util/intrusive_ptr.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace binade::train {

/// Notes where every tensor argument of every site comes from, and in which dtypes, before any cast: nest it outside of
/// Autocast for one forward. The calls of a loop, and the tensors of a list, may come in several.
class CastSources : public graph::SiteHook {
 public:
  struct Source {
    int site = -1;          ///< that gave it, views seen through; -1: none did
    std::string parameter;  ///< its name, where it is one
    at::ScalarType dtype = at::kFloat;
  };

  explicit CastSources(const std::vector<std::pair<std::string, at::Tensor>>& parameters);

  void before(graph::Call& call) override;
  void after(graph::Call& call) override;

  /// Of what a cast of the argument to `to` is made of: one of another dtype (any of them where there are several),
  /// else the last; null where it was no tensor or the site did not run.
  const Source* find(int site, int argument, at::ScalarType to) const;

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  void note(const at::Tensor& tensor, Source source);

  /// By tensor; the weak pointers keep their addresses from being used again.
  std::map<const c10::TensorImpl*, std::pair<Weak, Source>> tensors_;
  std::map<std::pair<int, int>, std::map<at::ScalarType, Source>> arguments_;  ///< by site and argument
  Source view_of_;
};

}  // namespace binade::train
