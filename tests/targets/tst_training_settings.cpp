// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/targets/proof.h"
#include "tests/support/suite.h"
#include "tests/targets/assigned.h"

#include <algorithm>

using namespace binade;
using policy::Base;
using policy::Policy;
using targets::Assignment;
using targets::Finding;
using targets::Read;
using targets::Written;

namespace {

constexpr const char* kFrameworks[] = {"deepspeed", "lightning", "accelerate"};

wire::ScalerConfig tunedScaler() {
  wire::ScalerConfig scaler;
  scaler.init_scale = 1024;
  scaler.growth_interval = 500;
  return scaler;
}

Assignment autocast(formats::Format low, const std::optional<wire::ScalerConfig>& scaler = std::nullopt,
                    Base base = Base::kCudaAmp) {
  return test::assigned(test::startingFrom(base, low), test::madeUpModel(), scaler);
}

Written writtenBy(const char* target, const Assignment& assignment) {
  return test::targetOf(target).write(assignment);
}

targets::Proof proofBy(const char* target, const Assignment& assignment) {
  return targets::prove(test::targetOf(target), writtenBy(target, assignment), assignment);
}

Read readBy(const char* target, const std::string& text) {
  return test::targetOf(target).read(text, "settings.txt", autocast(formats::kFloat16));
}

std::string refusalBy(const char* target, const std::string& text) {
  try {
    readBy(target, text);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool cannotSay(const Written& written, const char* part) {
  return std::any_of(written.findings.begin(), written.findings.end(), [&](const Finding& finding) {
    return finding.kind == Finding::Kind::kInexpressible && mentions(finding.message, part);
  });
}

}  // namespace

// Precision and loss scaler of whole trainings, as training frameworks set them.
class TrainingSettings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void autocastOfEitherFormatIsExact() {
    for (const char* target : kFrameworks) {
      for (const formats::Format& low : {formats::kFloat16, formats::kBFloat16}) {
        QVERIFY2(proofBy(target, autocast(low)).exact(), target);
        QVERIFY2(proofBy(target, autocast(low, std::nullopt, Base::kCpuAmp)).exact(), target);
      }
      QVERIFY2(proofBy(target, autocast(formats::kFloat16, std::nullopt, Base::kAllFloat32)).exact(), target);
    }
  }

  void wholeModelsInALowFormatAreExactWhereTheFrameworkHasThem() {
    const Assignment whole = autocast(formats::kBFloat16, std::nullopt, Base::kApexO3);
    QVERIFY(proofBy("deepspeed", whole).exact());
    QVERIFY(proofBy("lightning", whole).exact());
    const targets::Proof proof = proofBy("accelerate", whole);
    QVERIFY(!proof.exact() && proof.undeclared.empty());
  }

  void deepSpeedHasSectionsOfItsOwn() {
    wire::ScalerConfig scaler = tunedScaler();
    scaler.minimum = 4;
    scaler.hysteresis = 3;
    const Assignment assignment = autocast(formats::kFloat16, scaler);
    const Written written = writtenBy("deepspeed", assignment);
    QCOMPARE(written.text, std::string("{\n  \"fp16\": {\n    \"enabled\": false,\n    \"loss_scale\": 0,\n"
                                       "    \"initial_scale_power\": 10,\n    \"loss_scale_window\": 500,\n"
                                       "    \"hysteresis\": 3,\n    \"consecutive_hysteresis\": true,\n"
                                       "    \"min_loss_scale\": 4\n  },\n  \"bf16\": {\n    \"enabled\": false\n  },\n"
                                       "  \"torch_autocast\": {\n    \"enabled\": true,\n"
                                       "    \"dtype\": \"float16\"\n  }\n}\n"));
    QVERIFY(targets::prove(test::targetOf("deepspeed"), written, assignment).exact());
  }

  void deepSpeedNamesWhatItsScalerLacks() {
    wire::ScalerConfig scaler = tunedScaler();
    scaler.init_scale = 1000;
    scaler.growth_factor = 1.5;
    scaler.maximum = 4096;
    const Written written = writtenBy("deepspeed", autocast(formats::kFloat16, scaler));
    for (const char* part : {"power of two", "doubles and halves", "no upper bound", "lower bound"}) {
      QVERIFY2(cannotSay(written, part), part);
    }
    QVERIFY(!proofBy("deepspeed", autocast(formats::kFloat16, scaler)).scaler_equal);
    QVERIFY(cannotSay(writtenBy("deepspeed", autocast(formats::kBFloat16, scaler)), "in float16 only"));
    scaler.fixed = true;
    QVERIFY(mentions(writtenBy("deepspeed", autocast(formats::kFloat16, scaler)).text, "\"loss_scale\": 1000.0"));
    QVERIFY(proofBy("deepspeed", autocast(formats::kFloat16, scaler)).undeclared.empty());
  }

  void deepSpeedNamesNoDevice() {
    const Written onCpu = writtenBy("deepspeed", autocast(formats::kBFloat16, std::nullopt, Base::kCpuAmp));
    QVERIFY(std::any_of(onCpu.findings.begin(), onCpu.findings.end(), [](const Finding& finding) {
      return finding.kind == Finding::Kind::kNote && mentions(finding.message, "names no device");
    }));
    const Read read = readBy("deepspeed", "{\"torch_autocast\": {\"enabled\": true}}");
    QVERIFY(read.policy.base == Base::kCudaAmp);
    QVERIFY(mentions(read.findings.at(0).message, "names no device"));
  }

  void deepSpeedsExampleIsRead() {
    const Read read = readBy("deepspeed",
                             "{\"train_batch_size\": 8, \"fp16\": {\"enabled\": true, \"auto_cast\": false,"
                             " \"loss_scale\": 0, \"initial_scale_power\": 16, \"loss_scale_window\": 1000,"
                             " \"hysteresis\": 2, \"consecutive_hysteresis\": false, \"min_loss_scale\": 1}}");
    QVERIFY(read.policy.base == Base::kApexO3);
    QCOMPARE(read.policy.low, formats::kFloat16);
    QCOMPARE(read.scaler->init_scale, 65536.0);
    QCOMPARE(read.scaler->growth_interval, std::int64_t{1000});
    QCOMPARE(read.scaler->hysteresis, std::int64_t{2});
    QCOMPARE(read.scaler->minimum, 1.0);
    QVERIFY(mentions(read.findings.at(0).message, "hysteresis"));
    const Read automatic = readBy("deepspeed", "{\"bf16\": {\"enabled\": \"auto\"}}");
    QVERIFY(automatic.policy.base == Base::kAllFloat32);
    QVERIFY(mentions(automatic.findings.at(0).message, "auto"));
  }

  void lightningHasAPluginWithAScaler() {
    const Assignment assignment = autocast(formats::kFloat16, tunedScaler());
    const Written written = writtenBy("lightning", assignment);
    QVERIFY(mentions(written.text,
                     "PRECISION = \"16-mixed\"\nDEVICE = \"cuda\"\nSCALER = {\"init_scale\": 1024.0, "
                     "\"growth_factor\": 2.0, \"backoff_factor\": 0.5, \"growth_interval\": 500, "
                     "\"enabled\": True}\n"));
    QVERIFY(mentions(written.text, "MixedPrecision(PRECISION, DEVICE, scaler)"));
    QVERIFY(targets::prove(test::targetOf("lightning"), written, assignment).exact());
    QVERIFY(
        mentions(writtenBy("lightning", autocast(formats::kFloat16, std::nullopt, Base::kApexO3)).text, "\"16-true\""));
    QVERIFY(cannotSay(writtenBy("lightning", autocast(formats::kBFloat16, tunedScaler())), "\"16-mixed\" only"));
  }

  void accelerateHasAHandlerForTheScaler() {
    const Assignment assignment = autocast(formats::kFloat16, tunedScaler());
    const Written written = writtenBy("accelerate", assignment);
    QVERIFY(mentions(written.text, "MIXED_PRECISION = \"fp16\"\nCPU = False\nSCALER = {\"init_scale\": 1024.0, "));
    QVERIFY(mentions(written.text, "GradScalerKwargs(**SCALER)"));
    QVERIFY(targets::prove(test::targetOf("accelerate"), written, assignment).exact());
  }

  void acceleratesConfigurationIsRead() {
    const Read read = readBy("accelerate",
                             "compute_environment: LOCAL_MACHINE\ndebug: false\ndistributed_type: 'NO'\n"
                             "downcast_bf16: 'no'\nmixed_precision: fp16\nnum_machines: 1\ntpu_env: []\n"
                             "use_cpu: false\n");
    QVERIFY(read.policy.base == Base::kCudaAmp);
    QCOMPARE(read.policy.low, formats::kFloat16);
    QVERIFY(read.scaler->enabled);
    QVERIFY(mentions(read.findings.at(0).message, "does not set the loss scaler"));
    QVERIFY(readBy("accelerate", "mixed_precision: 'no'\n").policy.base == Base::kAllFloat32);
    QVERIFY(readBy("accelerate", "mixed_precision: bf16\nuse_cpu: true\n").policy.base == Base::kCpuAmp);
  }

  void boundsAndHysteresisAreNamed() {
    wire::ScalerConfig scaler = tunedScaler();
    scaler.minimum = 1;
    scaler.hysteresis = 2;
    for (const char* target : {"lightning", "accelerate"}) {
      const Written written = writtenBy(target, autocast(formats::kFloat16, scaler));
      QVERIFY2(cannotSay(written, "no bounds") && cannotSay(written, "no hysteresis"), target);
    }
    const Written paddle = writtenBy("paddle", autocast(formats::kFloat16, scaler));
    QVERIFY(cannotSay(paddle, "no bounds") && !cannotSay(paddle, "no hysteresis"));
    QVERIFY(mentions(paddle.text, "\"decr_every_n_nan_or_inf\": 2"));
  }

  void opCallsAreNamed() {
    Policy policy = test::startingFrom(Base::kCudaAmp, formats::kFloat16);
    policy.sites.resize(1);
    policy.sites[0].match = "fc";
    for (const char* target : kFrameworks) {
      const Written written = writtenBy(target, test::assigned(policy));
      QCOMPARE(written.findings.size(), std::size_t{1});
      QCOMPARE(written.findings[0].sites, std::vector<std::string>{"fc/aten::linear#0"});
      QVERIFY(mentions(written.findings[0].message, "\"float32\" becomes \"float16\""));
    }
  }

  void hostileTextIsRefused_data() {
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const char* target, const char* text, const char* named) {
      QTest::addRow("%s: %s", target, named) << QByteArray(target) << QByteArray(text) << QByteArray(named);
    };
    row("deepspeed", "[]", "not a JSON object");
    row("deepspeed", "{\"zero_optimization\": {}}", "no section fp16");
    row("deepspeed", "{\"fp16\": {\"enabled\": true}, \"bf16\": {\"enabled\": true}}", "exclude each other");
    row("deepspeed", "{\"fp16\": {\"enabled\": true, \"initial_scale_power\": 1e9}}", "above 126");
    row("deepspeed", "{\"fp16\": {\"enabled\": true, \"hysteresis\": -1}}", "hysteresis");
    row("deepspeed", "{\"fp16\": 1}", "fp16 is not an object");
    row("lightning", "PRECISION = '8-mixed'\n", "missing or unknown");
    row("lightning", "PRECISION = '16-mixed'\nSCALER = {'init_scale': -1}\n", "init_scale is not a positive number");
    row("lightning", "PRECISION = '16-mixed'\nSCALER = {'scale': 1}\n", "scale is no setting");
    row("lightning", "PRECISION = 'bf16-mixed'\nSCALER = {'init_scale': 2}\n", "scales no losses");
    row("accelerate", "MIXED_PRECISION = 'fp8'\n", "missing or unknown");
    row("accelerate", "distributed_type: NO\n", "missing or unknown");
  }
  void hostileTextIsRefused() {
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, named);
    const std::string message = refusalBy(target.constData(), text.toStdString());
    QVERIFY2(mentions(message, named.toStdString()), message.c_str());
    QVERIFY2(mentions(message, "settings.txt: "), message.c_str());
  }
};

BINADE_SUITE(TrainingSettings);
#include "tst_training_settings.moc"
