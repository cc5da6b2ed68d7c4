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

/// What was measured once, to be shown and tested again without the hardware. As text:
///
///     binade-recording 1
///     chip GH100
///     metric sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed
///     note where and how it was made
///     name 0 nvjet_hsh_256x128
///     s START END TENSOR HMMA IMMA DMMA SM ISSUE CLOCK
///     k START END OP NAME STREAM
///
/// Times are nanoseconds; `-` stands for what was not measured. Unknown lines are ignored, so that old programs read
/// newer files of the same version.
struct Recording {
  std::string chip, metric, note;
  std::vector<std::string> names;
  std::vector<Sample> samples;
  std::vector<Kernel> kernels;
};

void write(std::ostream& out, const Recording& recording);

/// Nothing where the text is no recording; `problem` then says what is wrong and in which line.
std::optional<Recording> read(std::istream& in, std::string& problem);

/// Gives the samples as they came, in pieces as long as a poll. Times are moved so that the first sample is now.
std::unique_ptr<SampleSource> make_recorded_samples(Recording recording);

}  // namespace binade::profiler
