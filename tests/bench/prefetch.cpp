// SPDX-License-Identifier: Apache-2.0
//
// bench_prefetch: the cost of reading, converting and normalising data with a prefetch thread, per training step,
// against the same step on batches in memory.
#include "engine/files/safetensors.h"
#include "engine/formats/error.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "tests/bench/ratio.h"

#include <unistd.h>

#include <ATen/ops/randint.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kPairs = 100;
constexpr int kWarmUp = 10;
constexpr std::int64_t kPictures = 60000;
constexpr std::int64_t kBatch = 64;
constexpr std::int64_t kPixels = std::int64_t{28} * 28;

/// Writes a data set of Fashion-MNIST's size, stored as bytes like the original.
std::string pictures(const std::string& folder) {
  const std::string file = folder + "/pictures.safetensors";
  const auto bytes = at::TensorOptions().dtype(at::kByte);
  files::write_safetensors(file, {{"image", at::randint(256, {kPictures, 1, 28, 28}, bytes)},
                                  {"label", at::randint(10, {kPictures}, bytes)}});
  return file;
}

/// Writes `rows` such pictures as text, with a pixel per column, a common form of MNIST.
std::string table(const std::string& folder, std::int64_t rows) {
  const std::string name = folder + "/pictures" + std::to_string(rows) + ".csv";
  const at::Tensor pixels = at::randint(256, {rows, kPixels}, at::kByte);
  const std::uint8_t* next = pixels.const_data_ptr<std::uint8_t>();
  std::string text = "label";
  for (std::int64_t i = 0; i < kPixels; ++i) text += ",pixel" + std::to_string(i);
  std::ofstream file(name, std::ios::binary);
  for (std::int64_t row = 0; row < rows; ++row) {
    file << text << '\n';
    text = std::to_string(row % 10);
    for (std::int64_t i = 0; i < kPixels; ++i) text += "," + std::to_string(*next++);
  }
  file << text << '\n';
  return name;
}

wire::RunConfig training_on(const std::string& file) {
  wire::RunConfig config;
  config.name = "bench";
  config.model = "sample:cnn";
  config.batch = kBatch;
  config.data.kind = "files";
  config.data.files = {file};
  config.data.columns["x"] = {
      .from = {{"image"}}, .dtype = "float32", .mean = {{127.5}}, .deviation = {{127.5}}, .shape = {}};
  config.data.targets["label"].from.values = {"label"};
  config.scaler.enabled = false;
  config.policy.base = policy::Base::kAllFloat32;
  config.observe.level = "off";
  return config;
}

/// Serves batches taken before, repeatedly.
class InMemory : public batches::BatchSource {
 public:
  explicit InMemory(batches::BatchSource& source, int batches) : targets_(source.targets()) {
    for (int i = 0; i < batches; ++i) batches_.push_back(source.next());
  }
  batches::Batch next() override {
    return batches_[static_cast<std::size_t>(cursor_++ % static_cast<std::int64_t>(batches_.size()))];
  }
  std::int64_t cursor() const override { return cursor_; }
  void seek(std::int64_t cursor) override { cursor_ = cursor; }
  std::int64_t test_batches() const override { return 0; }
  batches::Batch test_batch(std::int64_t) const override { return {}; }
  const std::vector<batches::TargetInfo>& targets() const override { return targets_; }
  std::int64_t examples() const override { return kBatch * static_cast<std::int64_t>(batches_.size()); }
  std::int64_t test_examples() const override { return 0; }

 private:
  std::vector<batches::Batch> batches_;
  std::vector<batches::TargetInfo> targets_;
  std::int64_t cursor_ = 0;
};

class Step {
 public:
  Step(const wire::RunConfig& config, bool in_memory) : training_(train::set_up(config)), stepper_(*training_) {
    if (in_memory) training_->data = std::make_unique<InMemory>(*training_->data, 2 * (kPairs + kWarmUp));
  }
  void operator()() { stepper_.run(step_++); }

 private:
  std::unique_ptr<train::Training> training_;
  run::Stepper stepper_;
  std::int64_t step_ = 0;
};

wire::RunConfig training_on_table(const std::string& file) {
  wire::RunConfig config = training_on(file);
  wire::ColumnConfig& x = config.data.columns["x"];
  x.from.values.clear();
  for (std::int64_t i = 0; i < kPixels; ++i) x.from.values.push_back("pixel" + std::to_string(i));
  x.shape = {1, 28, 28};
  return config;
}

/// Compares a step that prefetches `ahead` batches of `config`'s data with one on batches in memory.
void compare(const wire::RunConfig& config, const std::string& what, std::int64_t ahead) {
  Step in_memory(config, true);
  wire::RunConfig read = config;
  read.data.prefetch = ahead;
  Step reading(read, false);
  const auto ratios = interleaved_ratios([&] { reading(); }, [&] { in_memory(); }, kPairs, kWarmUp);
  if (ahead > 0) {
    print_ratio("train.prefetch_vs_memory", what + ", " + std::to_string(ahead) + " ahead", median_interval(ratios),
                1.03);
  } else {
    print_ratio("train.prefetch_vs_memory", what + ", no prefetch", median_interval(ratios));
  }
}

void run() {
  const auto folder = std::filesystem::temp_directory_path() / ("binade-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const wire::RunConfig bytes = training_on(pictures(folder.string()));
  const wire::RunConfig held = training_on_table(table(folder.string(), 8192));
  const wire::RunConfig text = training_on_table(table(folder.string(), 16384));
  for (const std::int64_t ahead : {2, 0}) {
    compare(bytes, "cnn, 28 x 28 bytes", ahead);
    compare(held, "cnn, 28 x 28 in a CSV file whose values are held", ahead);
    compare(text, "cnn, 28 x 28 in a CSV file that stays text", ahead);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace

}  // namespace binade::bench

int main() try {
  binade::bench::run();
  return 0;
} catch (const binade::Error& error) {
  std::fprintf(stderr, "bench_prefetch: %s\n  %s\n", error.what(), error.hint.c_str());
  return 1;
}
