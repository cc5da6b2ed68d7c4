// SPDX-License-Identifier: Apache-2.0
#include "tests/app/row_mutator.h"

#include "engine/record/run_writer.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QFile>

namespace binade::test {

namespace {

void writeFindings(record::RunWriter& writer, FakeRun& fake, std::int64_t step) {
  writer.add(diagnosed(step, wire::Event::Kind::kGradientOverflow, 1024, benignOverflow(1024)));
  writer.add(diagnosed(step, wire::Event::Kind::kForwardOverflow, 1024, forwardOverflow()));
  writer.add(cpuProfile(0, step));
  writer.add(lifelikeProfile(0, step));
  writer.add(casts(0, 0));
  writer.add(casts(1, 20));
  writer.add(comparison(step));
  writer.add(silentReport());
  writer.add(wire::ScalerChanged{step, fake.started().config.scaler, 4096});
  writer.add(wire::CheckpointInfo{"a.safetensors", step, "request", 1, "sample:cnn", 4096, 1'790'000'000, 0.5});
  writer.add(wire::LogLine{"info", "said"});
  writer.add(wire::Evaluated{step, 0.875, 0.3});
}

void writeWhole(const QString& path) {
  const QByteArray whole = wholeRunFile();
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(whole) != whole.size()) qFatal("no file");
}

}  // namespace

QByteArray wholeRunFile() {
  static const QByteArray bytes = [] {
    const QString path = temporaryFolder() + QStringLiteral("/whole.binade");
    FakeRun fake;
    record::RunWriter writer(path.toStdString());
    writer.add(fake.started());
    for (int i = 0; i < 60; ++i) {
      if (i == 20) {
        const policy::Policy edited = test::conv1In(formats::kBFloat16);
        writer.add(fake.setPolicy(edited, 1));
      }
      writer.add(fake.next());
      if (fake.event() != nullptr) writer.add(*fake.event());
      if (i == 40) writeFindings(writer, fake, i);
    }
    writer.add(wire::Rewound{60, "a.safetensors"});
    writer.add(wire::Finished{wire::Outcome::kCompleted, 60, "", ""});
    writer.close();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }();
  return bytes;
}

std::string RowMutator::write(const QString& path) {
  writeWhole(path);
  return changes_.change(path.toStdString());
}

}  // namespace binade::test
