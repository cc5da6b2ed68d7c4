// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <c10/util/intrusive_ptr.h>

#include <map>
#include <utility>

namespace binade::casts {

/// Records where each tensor argument of each site comes from, and its dtypes before any cast. Nest it outside of
/// Autocast for one forward. An argument in a loop, or of list type, may have several dtypes.
class CastSources : public graph::SiteHook {
 public:
  struct Source {
    int site = -1;  ///< the site that produced it, behind views; -1: none
    at::ScalarType dtype = at::kFloat;
  };
  /// A cast inside a composite op.
  struct Inner {
    at::ScalarType from = at::kFloat;
    at::ScalarType to = at::kFloat;
  };

  void before(graph::Call& call) override;
  void after(graph::Call& call) override;

  /// Returns the source that a cast of the argument to `to` converts: one with another dtype (any, if there are
  /// several), else the last. Null if the argument was no tensor or the site did not run.
  const Source* find(int site, int argument, at::ScalarType to) const;

  /// Records a cast that an op inside the call in progress makes. A site's first one counts.
  void note_inside(const Inner& cast) { inside_.emplace(now_, cast); }
  /// Returns the first cast inside a site's calls; null: there was none.
  const Inner* inside(int site) const;

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  void note(const at::Tensor& tensor, Source source);

  /// By tensor; the weak pointers prevent reuse of the addresses.
  std::map<const c10::TensorImpl*, std::pair<Weak, Source>> tensors_;
  std::map<std::pair<int, int>, std::map<at::ScalarType, Source>> arguments_;  ///< by site and argument
  std::map<int, Inner> inside_;                                                ///< by site
  int now_ = -1;                                                               ///< site of the call in progress
  Source view_of_;
};

}  // namespace binade::casts
