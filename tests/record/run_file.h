// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_reader.h"
#include "engine/record/sqlite.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// The contents of a run file, for tests.

namespace binade::test {

/// Returns all records of one kind, in their order.
template <class T>
std::vector<T> recordsOf(const record::RunReader& reader) {
  std::vector<T> all;
  reader.replay([&all](record::RunRecord&& record) {
    if (T* value = std::get_if<T>(&record)) all.push_back(std::move(*value));
    return true;
  });
  return all;
}

/// nullopt for a run that goes on or was killed.
inline std::optional<wire::Finished> finishedOf(const record::RunReader& reader) {
  std::optional<wire::Finished> found;
  reader.replay(
      [&found](record::RunRecord&& record) {
        if (const auto* finished = std::get_if<wire::Finished>(&record)) found = *finished;
        return true;
      },
      /*after=*/0, record::Statistics::kNone);
  return found;
}

/// Counts the rows of the table of steps.
inline std::int64_t stepCount(const std::string& path) {
  const record::Database file(path, record::Database::Mode::kReadOnly);
  return std::stoll(file.value("SELECT count(*) FROM steps"));
}

inline std::map<std::string, std::string> environmentOf(const std::string& path) {
  const record::Database file(path, record::Database::Mode::kReadOnly);
  record::Statement row(file, "SELECT key, value FROM environment");
  row.query();
  std::map<std::string, std::string> all;
  while (row.next()) all[row.text(0)] = row.text(1);
  return all;
}

}  // namespace binade::test
