// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace binade::targets {

/// The environment variables that name the files of Gaudi's two op lists.
inline constexpr std::string_view kGaudiLow = "PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST";
inline constexpr std::string_view kGaudiFloat32 = "PT_HPU_AUTOCAST_FP32_OPS_LIST";

/// What a script states about Gaudi's op lists, or a text that is a single list. Nothing is run. A script sets one of
/// the two variables, as `export NAME="$PWD/ops.txt"`, as `NAME=ops.txt python train.py`, as `ENV NAME=ops.txt` in a
/// Dockerfile or as `os.environ["NAME"] = "ops.txt"` in Python. It may write the files by here-documents of `cat`.
struct GaudiText {
  /// A file that a variable names.
  struct Named {
    std::string file;      ///< without its folder
    std::size_t line = 0;  ///< of the script, from 1
  };

  bool is_script = false;
  std::map<std::string_view, Named> named;               ///< by variable; the last setting counts
  std::map<std::string, std::set<std::string>> written;  ///< ops of the files that the script writes, by file name
  std::set<std::string> list;                            ///< ops of a text that is no script
  std::string format;                                    ///< low format in a comment by Binade; empty: none
  bool others = false;                                   ///< some lines of the script mean nothing here
};

/// Throws Error{kBadPolicy}, naming `source` and the line, for a line of a list that is not an op name, a
/// here-document without an end, and a variable whose file name is computed.
GaudiText read_gaudi_text(std::string_view text, const std::string& source);

/// The ops of a file with one op a line. Throws as read_gaudi_text() does.
std::set<std::string> read_gaudi_list(std::string_view text, const std::string& source);

/// Throws Error{kBadPolicy} for a line of `source`.
[[noreturn]] void fail_gaudi(const std::string& source, std::size_t line, const std::string& what,
                             const std::string& hint = {});

}  // namespace binade::targets
