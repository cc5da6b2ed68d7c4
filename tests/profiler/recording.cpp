// SPDX-License-Identifier: Apache-2.0
#include "tests/profiler/recording.h"

#include "profiler/clock.h"

#include <cmath>
#include <cstdlib>
#include <istream>
#include <ostream>
#include <sstream>

namespace binade::profiler {

namespace {

constexpr const char* kHeading = "binade-recording 1";

std::string rest_of(std::istringstream& line) {
  std::string text;
  std::getline(line >> std::ws, text);
  return text;
}

bool read_sample(std::istringstream& line, Sample& sample) {
  if (!(line >> sample.start >> sample.end) || sample.end <= sample.start) return false;
  for (float& value : sample.values.all) {
    std::string word;
    if (!(line >> word)) return false;
    if (word == "-") continue;
    char* end = nullptr;
    value = std::strtof(word.c_str(), &end);
    if (end != word.c_str() + word.size() || !std::isfinite(value)) return false;
  }
  return true;
}

bool read_kernel(std::istringstream& line, std::size_t names, Kernel& kernel) {
  return (line >> kernel.start >> kernel.end >> kernel.op >> kernel.name >> kernel.stream) &&
         kernel.end >= kernel.start && kernel.name < names;
}

class RecordedSamples : public SampleSource {
 public:
  explicit RecordedSamples(Recording recording) : recording_(std::move(recording)) {}

  Source source() const override { return Source::kRecorded; }
  std::chrono::milliseconds poll() const override { return std::chrono::milliseconds(20); }
  std::chrono::nanoseconds shortest() const override { return {}; }
  std::string metric() const override { return recording_.metric; }

  Status start(std::chrono::nanoseconds /*interval*/) override {
    next_ = 0;
    if (recording_.samples.empty()) return status(Code::kLost, "the recording holds no samples");
    moved_ = now_ns() - recording_.samples.front().start;
    return status(Code::kRunning, ": a recording from " + recording_.chip + ", no hardware");
  }
  Drained drain(std::vector<Sample>& into) override {
    const std::uint64_t now = now_ns();
    for (; next_ < recording_.samples.size() && recording_.samples[next_].end + moved_ <= now; ++next_) {
      Sample sample = recording_.samples[next_];
      sample.start += moved_;
      sample.end += moved_;
      into.push_back(sample);
    }
    if (next_ < recording_.samples.size()) return {};
    return {.lost = status(Code::kLost, "the recording is over")};
  }
  void stop() override {}

 private:
  Recording recording_;
  std::size_t next_ = 0;
  std::uint64_t moved_ = 0;
};

}  // namespace

void write(std::ostream& out, const Recording& recording) {
  out << kHeading << "\nchip " << recording.chip << "\nmetric " << recording.metric << "\nnote " << recording.note
      << "\n";
  for (std::size_t i = 0; i < recording.names.size(); ++i) out << "name " << i << " " << recording.names[i] << "\n";
  for (const Sample& sample : recording.samples) {
    out << "s " << sample.start << " " << sample.end;
    for (const float value : sample.values.all) {
      out << " ";
      if (std::isnan(value)) {
        out << "-";
      } else {
        out << value;
      }
    }
    out << "\n";
  }
  for (const Kernel& kernel : recording.kernels) {
    out << "k " << kernel.start << " " << kernel.end << " " << kernel.op << " " << kernel.name << " " << kernel.stream
        << "\n";
  }
}

std::optional<Recording> read(std::istream& in, std::string& problem) {
  std::string text;
  if (!std::getline(in, text) || text != kHeading) {
    problem = "line 1: not a recording of version 1";
    return std::nullopt;
  }
  Recording recording;
  for (std::size_t number = 2; std::getline(in, text); ++number) {
    std::istringstream line(text);
    std::string kind;
    line >> kind;
    bool good = true;
    if (kind == "chip") recording.chip = rest_of(line);
    if (kind == "metric") recording.metric = rest_of(line);
    if (kind == "note") recording.note = rest_of(line);
    if (kind == "name") {
      std::size_t id = 0;
      good = static_cast<bool>(line >> id) && id == recording.names.size();
      recording.names.push_back(rest_of(line));
    }
    if (kind == "s") good = read_sample(line, recording.samples.emplace_back());
    if (kind == "k") good = read_kernel(line, recording.names.size(), recording.kernels.emplace_back());
    if (!good) {
      problem = "line " + std::to_string(number) + ": cannot be read as `" + kind + "`";
      return std::nullopt;
    }
  }
  return recording;
}

std::unique_ptr<SampleSource> make_recorded_samples(Recording recording) {
  return std::make_unique<RecordedSamples>(std::move(recording));
}

}  // namespace binade::profiler
