// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fake_try.h"

#include "engine/wire/codec.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QTest>

namespace binade::test {

namespace {

constexpr int kTrySteps = 40;

wire::TrialArm armOf(double shift, double spread) {
  wire::TrialArm arm;
  for (int step = 0; step < kTrySteps; ++step)
    arm.losses.push_back(3 - 0.01 * step + shift + (step % 2 == 0 ? spread : -spread) * step / kTrySteps);
  arm.evaluation = 2.5 + shift;
  arm.scale = 65536;
  arm.seconds = 0.1284;
  arm.casts = 214;
  arm.cast_bytes = 1e6;
  arm.peak_bytes = 64e6;
  return arm;
}

QByteArray lineOf(const char* event, const wire::Trial& trial) {
  return QByteArray(R"({"event":")") + event + R"(","trial":)" + QByteArray::fromStdString(wire::encode_text(trial)) +
         "}\n";
}

}  // namespace

wire::Trial fakeTrial() {
  wire::Trial trial;
  trial.name = "fc2/aten::linear#0 in float32";
  policy::SiteRule& rule = trial.after.sites.emplace_back();
  rule.match = "fc2/aten::linear#0";
  rule.format = formats::kFloat32;
  trial.first_step = 200;
  trial.steps = kTrySteps;
  wire::TrialSeed& seed = trial.seeds.emplace_back();
  seed.before = armOf(0, 0);
  seed.before.overflows = 3;
  seed.after = armOf(-0.005, 0);
  seed.after.casts = 226;
  seed.noise = armOf(0, 0.02);
  seed.noise.overflows = 3;
  trial.verdict = wire::TrialVerdict::kInsideNoise;
  trial.loss = {2.805, 2.8, -0.005, -0.025, 0.015, 0.006};
  trial.evaluation = wire::TrialDifference{2.5, 2.495, -0.005, -0.005, -0.005, 0.01};
  trial.seconds = wire::TrialDifference{0.1284, 0.1289, 0.0005, 0.0001, 0.0009, 0.001};
  trial.made = 1'790'000'000;
  return trial;
}

FakeTry::FakeTry(const QString& body) : folder_(temporaryFolder()) {
  write(QStringLiteral("engine.sh"), "folder=" + folder_.toUtf8() +
                                         "\n"
                                         "if [ \"$1\" = serve ]; then exec " BINADE_FAKE_ENGINE
                                         "; fi\n"
                                         "cp \"$4\" \"$folder/after\"; cp \"$6\" \"$folder/before\"\n"
                                         "printf '%s\\n' \"$@\" > \"$folder/arguments\"\n" +
                                         body.toUtf8() + "\n");
  wire::Trial trial = fakeTrial();
  write(QStringLiteral("tried"), lineOf("tried", trial));
  trial.complete = false;
  write(QStringLiteral("learnt"), lineOf("learnt", trial));
  write(QStringLiteral("cut"), lineOf("tried", trial));
}

app::EngineCommand FakeTry::engine() const {
  return {QStringLiteral("/bin/sh"), {folder_ + QStringLiteral("/engine.sh"), QStringLiteral("serve")}};
}

QStringList FakeTry::arguments() const {
  QFile file(folder_ + QStringLiteral("/arguments"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QString::fromUtf8(file.readAll()).trimmed().split(u'\n');
}

QString FakeTry::option(const QString& name) const {
  const QStringList all = arguments();
  const qsizetype at = all.indexOf(name);
  return at < 0 ? QString() : all.value(at + 1);
}

policy::Policy FakeTry::before() const {
  return read(QStringLiteral("before"));
}

policy::Policy FakeTry::after() const {
  return read(QStringLiteral("after"));
}

void FakeTry::write(const QString& name, const QByteArray& text) const {
  QFile file(folder_ + u'/' + name);
  if (file.open(QIODevice::WriteOnly)) file.write(text);
}

policy::Policy FakeTry::read(const QString& name) const {
  QFile file(folder_ + u'/' + name);
  if (!file.open(QIODevice::ReadOnly)) return {};
  return policy::parse_policy(file.readAll().toStdString(), name.toStdString());
}

}  // namespace binade::test
