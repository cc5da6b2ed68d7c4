// SPDX-License-Identifier: Apache-2.0
#include "tests/graph/text_model.h"

#include "tests/graph/zip_records.h"

namespace binade::test {

std::string TextModel::archive() const {
  std::vector<ZipRecord> records{
      {"m/data.pkl", data}, {"m/code/__torch__.py", code}, {"m/constants.pkl", constants}, {"m/version", "3\n"}};
  if (!tensor.empty()) records.push_back({"m/data/0", tensor});
  return zip_of(records);
}

TextModel model_with(const std::string& body, const std::string& more) {
  return {.code =
              "class M(Module):\n"
              "  __parameters__ = []\n"
              "  __buffers__ = []\n"
              "  def forward(self: __torch__.M,\n"
              "    x: Tensor) -> Tensor:\n" +
              body + more};
}

}  // namespace binade::test
