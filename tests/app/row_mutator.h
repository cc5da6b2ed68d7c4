// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

#include <random>
#include <string>
#include <vector>

namespace binade::test {

/// A run file with rows in every table, the same every time: steps, edits, events with their proofs, profiles,
/// comparisons, silent faults, checkpoints, a rewind. Made once.
QByteArray wholeRunFile();

/// Changes rows of a run file as no engine would: one to three changes each time, drawn by a seed.
class RowMutator {
 public:
  explicit RowMutator(unsigned seed) : random_(seed) {}

  /// Writes wholeRunFile(), changed, to `path`; the statements that changed it.
  std::string write(const QString& path);

 private:
  std::string change();
  std::string value();
  std::string rows(const std::string& table);
  std::size_t draw(std::size_t below) { return random_() % below; }
  template <class T>
  const T& one(const std::vector<T>& all) {
    return all[draw(all.size())];
  }

  std::mt19937 random_;
};

}  // namespace binade::test
