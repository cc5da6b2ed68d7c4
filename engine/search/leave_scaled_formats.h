// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/needed_set.h"
#include "engine/search/prover.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace binade::search {

/// Finds the smallest set of op calls that must leave scaled formats for a policy to hold, and then the smallest set of
/// their products.
class LeaveScaledFormats {
 public:
  /// `prover` must outlive the object; its candidates are those of product_candidates().
  explicit LeaveScaledFormats(Prover& prover);
  LeaveScaledFormats(const LeaveScaledFormats&) = delete;
  LeaveScaledFormats& operator=(const LeaveScaledFormats&) = delete;

  /// Tries until both sets are known. Throws SearchEnd as Prover::prove().
  void run();
  /// What was found so far, as a sentence.
  std::string result() const;

 private:
  /// A product of an op call that is needed in the ordinary format.
  struct Single {
    std::size_t whole = 0;  ///< index of the op call's candidate
    ProductSet product = 0;
  };
  bool hold_calls(const Changes& taken_out);
  bool hold_products(const Changes& taken_out);
  /// The candidates that take these products of the op calls out.
  Changes parts_of(const Changes& products) const;

  Prover& prover_;
  std::size_t calls_;  ///< number of op calls
  NeededSet whole_;
  std::vector<Single> singles_;  ///< of the op calls that are needed
  std::unique_ptr<NeededSet> products_;
};

}  // namespace binade::search
