// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/model_saves.h"

#include "engine/formats/file_refusal.h"
#include "engine/formats/printable.h"

#include <ATen/core/stack.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace binade::graph {

namespace {

constexpr std::size_t kMostReports = 20;

void report(const std::string& file, int error) {
  static std::mutex mutex;
  static std::set<std::string> reported;
  const std::scoped_lock lock(mutex);
  if (reported.size() >= kMostReports || !reported.insert(file).second) return;
  const std::string line = (is_confined() ? "binade-engine: confined: " : "binade-engine: ") +
                           std::string("torch.save of the model could not write ") + formats::printable(file) + ": " +
                           file_refusal(file, error, FileUse::kWrite, {}).reason + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);  // one call, so that lines of several threads do not mix
}

/// As LibTorch's op, with a look at the result.
void save(torch::jit::Stack& stack) {
  const std::string file = torch::jit::pop(stack).toStringRef();
  const std::vector<char> bytes = torch::jit::pickle_save(torch::jit::pop(stack));
  errno = 0;
  std::ofstream output(file, std::ios::binary);
  output.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  output.close();
  if (!output) report(file, errno);
}

}  // namespace

void report_failed_saves() {
  static const bool done = [] {
    const auto original = torch::jit::findOperatorFor({"aten::save", ""});
    if (!original) return false;  // a LibTorch without it
    const c10::FunctionSchema schema = original->schema();
    torch::jit::deregisterOperator(schema);
    torch::jit::registerOperator(torch::jit::Operator(schema.name(), schema.overload_name(), schema.arguments(),
                                                      schema.returns(), save, original->aliasAnalysisKind()));
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace binade::graph
