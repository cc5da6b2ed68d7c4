// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::test {

/// A module without attributes as an archive of TorchScript, for code that torch.jit.save would not write.
struct TextModel {
  std::string code;  ///< of code/__torch__.py; it defines class M
  std::string data =
      "\x80\x02"
      "c__torch__\nM\n)\x81}b.";         ///< data.pkl
  std::string constants = "\x80\x02).";  ///< constants.pkl
  std::string tensor = {};               ///< the record data/0, where there is one

  /// The archive's bytes; all checksums are right.
  std::string archive() const;
};

/// A module whose forward has this body, each line of it indented by four spaces, and `more` behind the class.
TextModel model_with(const std::string& body, const std::string& more = {});

}  // namespace binade::test
