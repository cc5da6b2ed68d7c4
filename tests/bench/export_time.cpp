// SPDX-License-Identifier: Apache-2.0
//
// bench_export_time ENGINE: the program binade-engine exports a model of 501 op calls, with proof.
#include "engine/host/process/other_program.h"
#include "tests/bench/ratio.h"

#include <nlohmann/json.hpp>

#include <ATen/ops/randn.h>
#include <torch/csrc/jit/api/module.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kLayers = 167;  // of three op calls each
constexpr int kWidth = 64;
constexpr int kExports = 7;

/// A chain of residual layers with a weight each.
void write_deep_model(const std::string& file) {
  torch::jit::Module module("__torch__.Deep");
  module.register_attribute("training", c10::BoolType::get(), true);
  std::string forward = "def forward(self, x):\n";
  for (int i = 0; i < kLayers; ++i) {
    const std::string weight = "w" + std::to_string(i);
    module.register_parameter(weight, at::randn({kWidth, kWidth}).mul_(0.1).requires_grad_(true), false);
    forward += "  x = torch.add(x, torch.tanh(torch.linear(x, self." + weight + ")))\n";
  }
  module.define(forward + "  return x\n");
  module.save(file);
}

/// Seconds of one export, which must be exact. `calls` gets the number of op calls.
double seconds_of(const std::vector<std::string>& words, const std::string& out, int& calls) {
  std::filesystem::remove(out);
  const auto start = std::chrono::steady_clock::now();
  const host::ProgramEnd end = host::run_program(words);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!end.failure.empty()) throw std::runtime_error(words.front() + " " + end.failure);
  const std::size_t newline = end.output.find_last_of('\n', end.output.size() - 2);
  const auto line = nlohmann::json::parse(newline == std::string::npos ? end.output : end.output.substr(newline + 1));
  if (!line.at("exact").get<bool>()) throw std::runtime_error("the export is not exact: its time means nothing");
  const auto sites = line.find("sites");
  calls = (sites != line.end() ? *sites : line.at("op_calls")).get<int>();
  return seconds;
}

void measure(const std::string& engine, const std::string& folder, const std::string& target,
             const std::vector<std::string>& options) {
  const std::string out = folder + "/exported." + target;
  std::vector<std::string> words{
      engine, "export", folder + "/deep.pt", "--policy", folder + "/deep.policy.json", "--to", target, "--out",
      out,    "--json"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<double> seconds;
  int calls = 0;
  for (int i = 0; i < kExports; ++i) seconds.push_back(seconds_of(words, out, calls));
  print_figure("export.time", target + ", " + std::to_string(calls) + " op calls, with proof", median_interval(seconds),
               "s", 10);
}

void measure_all(const std::string& engine) {
  std::string folder = (std::filesystem::temp_directory_path() / "bench-export-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error(folder + " cannot be created");
  write_deep_model(folder + "/deep.pt");
  std::ofstream(folder + "/deep.policy.json") << R"({"binade_policy": 1, "base": "cpu-amp", "low": "bfloat16",
             "sites": [{"match": "aten::tanh#7", "format": "float32"}]})";
  measure(engine, folder, "torchscript", {"--input", "float32[8," + std::to_string(kWidth) + "]"});
  measure(engine, folder, "csv", {"--prove"});
  std::filesystem::remove_all(folder);
}

}  // namespace

}  // namespace binade::bench

int main(int count, char** arguments) try {
  if (count != 2) throw std::runtime_error("needs the path of binade-engine");
  binade::bench::measure_all(arguments[1]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_export_time: %s\n", error.what());
  return 1;
}
