// SPDX-License-Identifier: Apache-2.0
#include "engine/record/profile_rows.h"

#include "engine/record/rows.h"

namespace binade::record {

ProfileWriter::ProfileWriter(const Database& database)
    : profile_(database, "INSERT INTO profiles VALUES (?, ?, ?, ?, ?, ?, ?)"),
      source_(database, "INSERT INTO profile_sources VALUES (?, ?, ?, ?, ?, ?, ?)"),
      bin_(database, "INSERT INTO profile_bins VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      site_(database, "INSERT INTO profile_sites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      verdict_(database, "INSERT INTO profile_verdicts VALUES (?, ?, ?, ?, ?)"),
      kernel_(database, "INSERT INTO profile_kernels VALUES (?, ?, ?, ?, ?, ?, ?)") {}

void ProfileWriter::source(std::int64_t seq, const char* part, const wire::ProfileSource& source) {
  const auto [known, is_new] = sources_.try_emplace(part, source);
  if (!is_new && known->second == source) return;
  known->second = source;
  source_.run(part, seq, source.source, source.state, source.sentence, source.next, source.detail);
}

void ProfileWriter::write(std::int64_t seq, const wire::Profile& profile) {
  profile_.run(seq, profile.first_step, profile.last_step, profile.steps, profile.step_seconds, profile.outside,
               profile.estimate);
  source(seq, "curve", profile.curve);
  source(seq, "times", profile.times);
  source(seq, "tensor", profile.tensor);
  for (std::size_t i = 0; i < profile.bins.size(); ++i) {
    const wire::ProfileBin& bin = profile.bins[i];
    bin_.run(seq, std::uint64_t{i}, bin.time, bin.seconds, bin.covered, bin.tensor, bin.hmma, bin.imma, bin.dmma,
             bin.sm_active, bin.clock);
  }
  for (const wire::SiteProfile& site : profile.sites) {
    site_.run(seq, site.site, site.calls, site.forward, site.backward, site.accumulate, site.observe, site.launches,
              site.tensor, site.tensor_error, site.confidence, site.emulated);
    const auto said = std::tie(site.verdict, site.sentence, site.edit);
    const auto [known, is_new] = verdicts_.try_emplace(site.site, said);
    if (is_new || known->second != said) {
      known->second = said;
      verdict_.run(site.site, seq, site.verdict, site.sentence, site.edit);
    }
    for (std::size_t i = 0; i < site.kernels.size(); ++i) {
      const wire::ProfileKernel& kernel = site.kernels[i];
      kernel_.run(seq, site.site, std::uint64_t{i}, kernel.name, kernel.launches, kernel.seconds, kernel.by_name);
    }
  }
}

ProfileReader::ProfileReader(const Database& database, Damage* damage)
    : database_(database),
      damage_(damage),
      profile_(database,
               "SELECT first_step, last_step, steps, step_seconds, outside, estimate FROM profiles WHERE seq = ?"),
      source_(database,
              "SELECT source, state, sentence, next, detail FROM profile_sources WHERE part = ? AND seq <= ? "
              "ORDER BY seq DESC LIMIT 1"),
      bin_(database,
           "SELECT time, seconds, covered, tensor, hmma, imma, dmma, sm_active, clock FROM profile_bins WHERE seq = ? "
           "ORDER BY position"),
      site_(database,
            "SELECT site, calls, forward, backward, accumulate, observe, launches, tensor, tensor_error, confidence, "
            "emulated FROM profile_sites WHERE seq = ? ORDER BY site"),
      verdict_(database,
               "SELECT verdict, sentence, edit FROM profile_verdicts WHERE site = ? AND seq <= ? "
               "ORDER BY seq DESC LIMIT 1"),
      kernel_(database,
              "SELECT name, launches, seconds, by_name FROM profile_kernels WHERE seq = ? AND site = ? "
              "ORDER BY position") {}

wire::ProfileSource ProfileReader::source(std::int64_t seq, const char* part) {
  const Reset reset{source_};
  wire::ProfileSource source;
  source_.query(part, seq);
  if (!source_.next()) return source;
  attempt(damage_, [&] {
    const Row row(database_, source_, "profile_sources", seq);
    source = {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4)};
  });
  return source;
}

wire::Profile ProfileReader::read(std::int64_t seq) {
  wire::Profile profile;
  {
    const Reset reset{profile_};
    const Row row = go_to(database_, profile_, "profiles", seq);
    profile.first_step = row.integer(0);
    profile.last_step = row.integer(1);
    profile.steps = row.integer(2);
    profile.step_seconds = row.real(3);
    profile.outside = row.real(4);
    profile.estimate = row.flag(5);
  }
  profile.curve = source(seq, "curve");
  profile.times = source(seq, "times");
  profile.tensor = source(seq, "tensor");
  bin_.query(seq);
  each_row(database_, bin_, "profile_bins", seq, damage_, [&](const Row& row) {
    profile.bins.push_back({.time = row.real(0),
                            .seconds = row.real(1),
                            .covered = row.real(2),
                            .tensor = row.real(3),
                            .hmma = row.real(4),
                            .imma = row.real(5),
                            .dmma = row.real(6),
                            .sm_active = row.real(7),
                            .clock = row.real(8)});
  });
  site_.query(seq);
  each_row(database_, site_, "profile_sites", seq, damage_, [&](const Row& row) {
    wire::SiteProfile site;
    site.site = row.small(0);
    site.calls = row.real(1);
    site.forward = row.real(2);
    site.backward = row.real(3);
    site.accumulate = row.real(4);
    site.observe = row.real(5);
    site.launches = row.real(6);
    site.tensor = row.real(7);
    site.tensor_error = row.real(8);
    site.confidence = row.text(9);
    site.emulated = row.flag(10);
    read_verdict(site, seq);
    kernel_.query(seq, site.site);
    each_row(database_, kernel_, "profile_kernels", seq, damage_, [&](const Row& kernel) {
      site.kernels.push_back({kernel.text(0), kernel.integer(1), kernel.real(2), kernel.text(3)});
    });
    profile.sites.push_back(std::move(site));
  });
  return profile;
}

void ProfileReader::read_verdict(wire::SiteProfile& site, std::int64_t seq) {
  const Reset reset{verdict_};
  verdict_.query(site.site, seq);
  if (!verdict_.next()) return;
  attempt(damage_, [&] {
    const Row row(database_, verdict_, "profile_verdicts", seq);
    site.verdict = row.text(0);
    site.sentence = row.text(1);
    site.edit = row.text(2);
  });
}

}  // namespace binade::record
