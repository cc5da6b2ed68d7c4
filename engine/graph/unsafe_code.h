// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace torch::jit {
struct SourceRange;
}

namespace binade::graph {

class ModelArchive;

/// A place in a model's code that the checks refuse.
struct CodeFinding {
  std::string record{};  ///< `code/__torch__.py`, or the Python file that it was made from; empty: unknown
  std::size_t line = 0;  ///< from 1; 0: unknown
  std::string code{};    ///< the line, without indentation
  std::string why{};     ///< `calls aten::save, which writes files`
  friend bool operator==(const CodeFinding&, const CodeFinding&) = default;
};

/// Error{kUnsafe} for a model file, with all that was found. `sha256` is the file's, in hexadecimal digits.
struct UnsafeModel : Error {
  UnsafeModel(const Error& first, std::vector<CodeFinding> found, std::string hash)
      : Error(first), findings(std::move(found)), sha256(std::move(hash)) {}
  std::vector<CodeFinding> findings;
  std::string sha256;
};

CodeFinding finding_at(const torch::jit::SourceRange& range, std::string why);

/// Throws Error{kUnsafe} with this message, or adds the finding to the newest CollectFindings of this thread.
void report_unsafe(CodeFinding finding, const std::string& message);

/// While it lives, findings of this thread are collected instead of thrown. They nest.
class CollectFindings {
 public:
  CollectFindings();
  ~CollectFindings();
  CollectFindings(const CollectFindings&) = delete;
  CollectFindings& operator=(const CollectFindings&) = delete;

  /// Throws UnsafeModel for the archive if there are findings; its message is the first one's.
  void throw_if_any(const ModelArchive& archive) const;

 private:
  friend void report_unsafe(CodeFinding finding, const std::string& message);

  CollectFindings* outer_;
  std::vector<CodeFinding> found_;
  std::string first_;
};

/// Models that may be opened although the checks find unsafe code in them. One value for the process; set it before
/// models are opened.
struct Trust {
  bool all = false;                ///< every model
  std::set<std::string> hashes{};  ///< SHA-256 of files, in hexadecimal digits
};
void set_trust(Trust trust);
/// Whether every model is trusted.
bool trusts_all();
/// Whether a file with this hash is trusted.
bool is_trusted(const std::string& sha256);

/// Once a trusted model is open, checks of graphs in this process no longer refuse anything, since they cannot tell
/// whose graph it is. Files are checked as before when they are read, while a CollectFindings lives. Set by
/// Model::load().
void accept_unsafe_graphs();

}  // namespace binade::graph
