// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/row_changes.h"

#include <QByteArray>
#include <QString>

#include <string>

namespace binade::test {

/// A run file with rows in every table, the same every time: steps, edits, events with their proofs, profiles,
/// comparisons, silent faults, checkpoints, a rewind. Made once.
QByteArray wholeRunFile();

/// Changes rows of a run file as no engine would: one to three changes each time, drawn by a seed.
class RowMutator {
 public:
  explicit RowMutator(unsigned seed) : changes_(seed) {}

  /// Writes wholeRunFile(), changed, to `path`; the statements that changed it.
  std::string write(const QString& path);

 private:
  RowChanges changes_;
};

}  // namespace binade::test
