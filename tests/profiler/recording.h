// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/kernel_source.h"
#include "profiler/sample_source.h"

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binade::profiler {

/// A recorded measurement, for tests without hardware. Text format:
///
///     binade-recording 1
///     chip GH100
///     metric sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed
///     note where and how it was made
///     name 0 nvjet_hsh_256x128
///     s START END TENSOR HMMA IMMA DMMA SM CLOCK
///     k START END OP NAME STREAM
///
/// Times are nanoseconds; `-` means not measured. Unknown lines are ignored, so that older programs can read newer
/// files of the same version.
struct Recording {
  std::string chip, metric, note;
  std::vector<std::string> names;
  std::vector<Sample> samples;
  std::vector<Kernel> kernels;
};

void write(std::ostream& out, const Recording& recording);

/// Returns nullopt if the text is not a recording; `problem` then states the fault and its line.
std::optional<Recording> read(std::istream& in, std::string& problem);

/// Creates a source that replays the samples in real time. Times are shifted so that the first sample is now.
std::unique_ptr<SampleSource> make_recorded_samples(Recording recording);

}  // namespace binade::profiler
