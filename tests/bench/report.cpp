// SPDX-License-Identifier: Apache-2.0
//
// bench_report: the report of a run of 100,000 steps, every 32nd of which has statistics of 60 tensors.
#include "engine/report/report.h"

#include "engine/record/run_writer.h"
#include "tests/bench/ratio.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

namespace binade::bench {

namespace {

constexpr int kSteps = 100'000;
constexpr int kTensors = 60;
constexpr int kObserveEvery = 32;  // the default of ObserveConfig
constexpr int kReports = 7;

std::vector<formats::TensorStats> sampled_stats() {
  std::mt19937 random(1);
  std::vector<formats::TensorStats> stats;
  for (int i = 0; i < kTensors; ++i) {
    std::normal_distribution<float> draw(0, std::ldexp(1.0f, i % 20 - 10));
    std::vector<float> values(4096);
    for (float& value : values) value = draw(random);
    stats.push_back(formats::measure(values, formats::kFloat16, formats::Depth::kFormats));
  }
  return stats;
}

wire::RunStarted started_run() {
  wire::RunStarted started;
  started.config.name = "long run";
  started.config.model = "model.pt";
  started.config.steps = kSteps;
  started.device = "CPU";
  for (int site = 0; site < kTensors; ++site) {
    wire::SiteInfo& info = started.model.sites.emplace_back();
    info.id = site;
    info.key = {"layer" + std::to_string(site), "", "aten::linear", "", 0};
    started.policy.decisions.push_back({.kind = policy::Decision::Kind::kFormat, .format = formats::kFloat16});
  }
  return started;
}

wire::StepRecord step_at(int step, const std::vector<formats::TensorStats>& stats) {
  wire::StepRecord record;
  record.step = step;
  record.loss = 2.3 * std::exp(-step / 3e4) + 0.1 * std::sin(step);
  record.scale = std::ldexp(1.0, 16 - step / 20'000);
  record.next_scale = record.scale;
  record.found_inf = step % 1000 == 500;
  record.stepped = !record.found_inf;
  record.gradient_norm = record.found_inf ? NAN : 1.0 + 0.3 * std::cos(step);
  record.seconds = 0.012;
  if (step % kObserveEvery != 0) return record;
  for (int id = 0; id < kTensors; ++id) {
    if (step == 0) {
      const auto kind = static_cast<wire::WatchedTensor::Kind>(id % 6);
      record.new_tensors.push_back(
          {.id = id, .site = id, .kind = kind, .argument = "weight" + std::to_string(id), .format = formats::kFloat16});
    }
    record.observations.push_back({id, stats[static_cast<std::size_t>(id)]});
  }
  return record;
}

void write_run(const std::string& path) {
  const std::vector<formats::TensorStats> stats = sampled_stats();
  record::RunWriter writer(path);
  writer.add(started_run());
  for (int step = 0; step < kSteps; ++step) {
    writer.add(step_at(step, stats));
    if (step % 1000 == 500)
      writer.add(wire::Event{.step = step, .facts = wire::NotFinite{.by_scaler = true, .parameter = "weight5"}});
  }
  writer.add(wire::Finished{wire::Outcome::kCompleted, kSteps, "", ""});
  writer.close();
}

}  // namespace

int main_of(const std::string& folder) {
  const std::string path = folder + "/report.binade";
  std::filesystem::remove(path);
  write_run(path);
  std::vector<double> seconds;
  std::size_t bytes = 0;
  for (int i = 0; i < kReports; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const report::Report made = report::make_report(path);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    bytes = made.html.size();
    if (made.steps != kSteps || !made.damage.empty()) {
      std::fprintf(stderr, "bench_report: the report covers %lld steps and leaves out %zu parts\n",
                   static_cast<long long>(made.steps), made.damage.count());
      return 1;
    }
  }
  print_figure("report", "100,000 steps", median_interval(seconds), "s", 5);
  print_figure("report", "size of the page, 100,000 steps", exactly(static_cast<double>(bytes) / 1e6), "MB", 5);
  std::filesystem::remove(path);
  return 0;
}

}  // namespace binade::bench

int main() {
  return binade::bench::main_of(std::filesystem::temp_directory_path().string());
}
