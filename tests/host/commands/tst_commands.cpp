// SPDX-License-Identifier: Apache-2.0
#include "tests/host/printing_model.h"
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSet>

using namespace binade;
using test::engine;
using test::engineEnvironment;
using test::EngineResult;
using test::modelFile;
using test::runFile;
using test::written;

namespace {

QString emptyModel() {
  const QString path = test::temporaryFolder() + QStringLiteral("/empty.pt");
  test::writeEmptyModel(path.toStdString());
  return path;
}

}  // namespace

class TestCommands : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void badInputIsNamedWithANextStepAndTheRightExitCode_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, int code, const char* says) {
      QTest::newRow(name) << arguments << code << QString::fromUtf8(says);
    };
    const QString inspect = QStringLiteral("inspect");
    row("no command", {}, 2, "command is required");
    row("a command that is none", {QStringLiteral("verfy")}, 2, "Unknown command \"verfy\". Did you mean \"verify\"?");
    row("a model after a list",
        {QStringLiteral("verify"), QStringLiteral("--output"), QStringLiteral("[0]"), QStringLiteral("sample:mlp"),
         QStringLiteral("--eval")},
        2, "Options with several values take all words up to the next option.");
    row("an output that is none",
        {QStringLiteral("verify"), QStringLiteral("sample:control-flow"), QStringLiteral("--output"),
         QStringLiteral("[9]"), QStringLiteral("--no-executor")},
        2, "--output \"[9]\": forward's output has no part \"[9]\"\n  Available: [0] (float32[64,10]), [1]");
    row("CUDA's autocast",
        {QStringLiteral("verify"), QStringLiteral("sample:mlp"), QStringLiteral("--autocast"),
         QStringLiteral("cuda:float16")},
        2, "CUDA autocast needs a GPU, and none is usable here\n  Use cpu:bfloat16 or cpu:float16.");
    row("targets outside of 0 to 1",
        {QStringLiteral("verify"), modelFile("probabilities.pt"), QStringLiteral("--input"),
         QStringLiteral("float32[8,4]"), QStringLiteral("float32[8,1]")},
        1, "Use values from 0 to 1, --input 'float32[8,1]<1'");
    row("unknown option", {inspect, QStringLiteral("--nope")}, 2, "--help");
    row("not there", {inspect, modelFile("no.pt")}, 1, "does not exist");
    row("a text file", {inspect, modelFile("make_models.py")}, 1, "is not a TorchScript file");
    row("truncated", {inspect, modelFile("truncated.pt")}, 1, "truncated");
    row("state dict", {inspect, modelFile("state_dict.pth")}, 1, "state dict");
    row("pickle", {inspect, modelFile("legacy_pickle.pth")}, 1, "Python pickle");
    row("unknown op", {inspect, modelFile("unknown_op.pt")}, 1, "vision::nms");
    row("acts on load", {inspect, modelFile("set_state.pt")}, 3, "__setstate__");
    row("unknown sample", {inspect, QStringLiteral("sample:vgg")}, 2, "Samples: mlp");
    row("misspelt sample", {inspect, QStringLiteral("sample:resnett")}, 2,
        "Unknown sample \"resnett\"\n  Did you mean \"resnet\"? Samples: mlp");
    row("verify without data", {QStringLiteral("verify"), modelFile("scripted.pt")}, 2,
        "scripted.pt takes (x: Tensor)");
    row("an empty policy file",
        {QStringLiteral("policy"), QStringLiteral("check"), written(QStringLiteral("empty.json"), "")}, 1,
        "empty.json is empty");
    row("a run description where a policy belongs", {QStringLiteral("policy"), QStringLiteral("check"), runFile()}, 1,
        "run.json is a run description, not a policy\n  `binade-engine train` takes a run description.");
    row("a policy where a run description belongs",
        {QStringLiteral("train"), written(QStringLiteral("p.json"), R"({"binade_policy":1})")}, 1,
        "p.json is a policy, not a run description\n  Pass it beside a run description: binade-engine train RUN "
        "--policy");
    row("verify with a bad SPEC",
        {QStringLiteral("verify"), QStringLiteral("sample:mlp"), QStringLiteral("--input"),
         QStringLiteral("float33[2]")},
        2, "float33");
    row("verify with a wrong shape",
        {QStringLiteral("verify"), QStringLiteral("sample:mlp"), QStringLiteral("--input"),
         QStringLiteral("float32[2,7]")},
        1, "mat1");
    row("verify with an input too few",
        {QStringLiteral("verify"), modelFile("attention.pt"), QStringLiteral("--input"),
         QStringLiteral("int64[2,6]<50")},
        1, "'targets'");
    row("no run description", {QStringLiteral("train"), QStringLiteral("no.json")}, 1,
        "no.json does not exist\n  Check the path. A relative path starts at the working folder, /");
    row("broken run description", {QStringLiteral("train"), written(QStringLiteral("run.json"), "{")}, 1, "run.json");
    row("unknown field of a run", {QStringLiteral("train"), runFile({{QStringLiteral("stepz"), 3}})}, 1, "stepz");
    row("missing data set",
        {QStringLiteral("train"),
         runFile({{QStringLiteral("data"), QJsonObject{{QStringLiteral("kind"), QStringLiteral("idx")},
                                                       {QStringLiteral("folder"), QStringLiteral("nowhere")}}}})},
        1, "An IDX folder needs train-images-idx3-ubyte");
    row("weights that would run code",
        {QStringLiteral("train"),
         runFile({{QStringLiteral("weights"), QStringLiteral(BINADE_TEST_DATA "/arrays/unsafe_system.pt")}})},
        3, "posix.system");
    row("data of an unknown array",
        {QStringLiteral("data"),
         runFile({{QStringLiteral("data"),
                   QJsonObject{
                       {QStringLiteral("kind"), QStringLiteral("files")},
                       {QStringLiteral("files"), QJsonArray{QStringLiteral(BINADE_TEST_DATA "/arrays/plain.npz")}}}}})},
        1, "images, labels, weights");
    row("an input that the run does not give",
        {QStringLiteral("train"), runFile({{QStringLiteral("model"), modelFile("attention.pt")}})}, 1, "targets");
    row("unknown format in a policy",
        {QStringLiteral("policy"), QStringLiteral("check"),
         written(QStringLiteral("p.json"),
                 R"({"binade_policy":1,"base":"cuda-amp","sites":[{"match":"fc","format":"float17"}]})")},
        1, "sites[0].format");
    row("unknown op in a policy",
        {QStringLiteral("policy"), QStringLiteral("check"),
         written(QStringLiteral("p.json"), R"({"binade_policy":1,"base":"cuda-amp","ops":{"conv2d":"float32"}})")},
        1, "conv2d");
    const QString misspelt = written(QStringLiteral("convv2d.json"),
                                     R"({"binade_policy":1,"base":"cuda-amp","ops":{"aten::convv2d":"float32"}})");
    const char* named = "convv2d.json: ops[\"aten::convv2d\"]: this LibTorch has no such operator";
    row("unknown aten op in a policy", {QStringLiteral("policy"), QStringLiteral("check"), misspelt}, 1, named);
    row("its next step", {QStringLiteral("policy"), QStringLiteral("check"), misspelt}, 1,
        "Did you mean \"aten::conv2d\"?");
    row("unknown aten op in --policy", {QStringLiteral("train"), runFile(), QStringLiteral("--policy"), misspelt}, 1,
        named);
    row("unknown aten op in a run",
        {QStringLiteral("train"),
         runFile({{QStringLiteral("policy"),
                   QJsonObject{{QStringLiteral("binade_policy"), 1},
                               {QStringLiteral("base"), QStringLiteral("cuda-amp")},
                               {QStringLiteral("ops"),
                                QJsonObject{{QStringLiteral("aten::convv2d"), QStringLiteral("float32")}}}}}})},
        1, "run.json: policy: ops[\"aten::convv2d\"]");
    row("train for no step", {QStringLiteral("train"), runFile(), QStringLiteral("--steps"), QStringLiteral("0")}, 2,
        "--steps");
    row("train for fewer", {QStringLiteral("train"), runFile(), QStringLiteral("--steps"), QStringLiteral("-1")}, 2,
        "--steps needs a whole number above 0, not \"-1\"\n  See `binade-engine train --help`.");
    row("train for no number", {QStringLiteral("train"), runFile(), QStringLiteral("--steps")}, 2,
        "binade-engine train: --steps needs a whole number above 0\n  See `binade-engine train --help`.");
    row("a timeout of nothing", QStringLiteral("train run.json --rank-timeout 0").split(u' '), 2,
        "--rank-timeout needs a number from 0.1 to 1e+06, not \"0\"\n");
    row("no such sum", QStringLiteral("train run.json --gradients-over mpi").split(u' '), 2,
        "--gradients-over needs one of auto, gloo, nccl, not \"mpi\"\n");
    row("nccl in one process",
        {QStringLiteral("train"), runFile(), QStringLiteral("--run-file"), QStringLiteral("none"),
         QStringLiteral("--gradients-over"), QStringLiteral("nccl")},
        2, "--gradients-over nccl needs several ranks");
    row("no such port", QStringLiteral("launch run.json --ranks 2 --port 70000").split(u' '), 2,
        "--port needs a number from 1 to 65535, not \"70000\"\n");
    row("train for two numbers", QStringLiteral("train run.json --steps 1 --steps 2").split(u' '), 2,
        "--steps is given more than once\n");
    row("no such profile", QStringLiteral("train run.json --profile time").split(u' '), 2,
        "--profile needs one of off, times, counters, not \"time\"\n");
    row("a folder in place of a run", {QStringLiteral("train"), test::temporaryFolder()}, 1, "is a folder, not a file");
    row("saving into no folder",
        {QStringLiteral("train"), runFile(), QStringLiteral("--save"),
         test::temporaryFolder() + QStringLiteral("/none/model.pt")},
        1, "is not a folder");
    row("a misspelt sample in a run",
        {QStringLiteral("train"), runFile({{QStringLiteral("model"), QStringLiteral("sample:mlpp")}})}, 1,
        "run.json: model: Unknown sample \"mlpp\"\n  Did you mean \"mlp\"? Samples: mlp");
    row("a sample for a run", QStringLiteral("compare sample:cnn").split(u' '), 2, "sample:cnn is a model, but this");
    row("a model for a run", {QStringLiteral("data"), modelFile("scripted.pt")}, 1,
        "scripted.pt is a ZIP archive, such");
    row("a misspelt option", QStringLiteral("train run.json --stesp 4").split(u' '), 2,
        "binade-engine train: Unknown option \"--stesp\". Did you mean \"--steps\"?\n  See `");
    row("a word too many", QStringLiteral("train run.json 4").split(u' '), 2, "Unexpected argument \"4\"\n  See `");
    row("a seed below 0", {QStringLiteral("train"), runFile(), QStringLiteral("--seed"), QStringLiteral("-1")}, 2,
        "--seed");
    row("verify no step",
        {QStringLiteral("verify"), QStringLiteral("sample:mlp"), QStringLiteral("--input"),
         QStringLiteral("float32[2,1,28,28]"), QStringLiteral("--steps"), QStringLiteral("0")},
        2, "--steps");
    row("verify a model without op calls",
        {QStringLiteral("verify"), emptyModel(), QStringLiteral("--input"), QStringLiteral("float32[2]")}, 1,
        "nothing was compared");
    row("verify on a loss that is not finite",
        {QStringLiteral("verify"), modelFile("untrainable.pt"), QStringLiteral("--input"),
         QStringLiteral("float32[1,4]=inf,1,1,1")},
        1, "not finite");
  }
  void badInputIsNamedWithANextStepAndTheRightExitCode() {
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, says);
    const EngineResult result = engine(arguments);
    QVERIFY2(result.err.contains(says), qPrintable(result.err));
    QCOMPARE(result.code, code);
    QVERIFY2(!result.err.contains(QLatin1String("Exception raised")), "a LibTorch backtrace is no message");
  }

  void anOutputIsChosenByItsPlace() {
    for (const char* path : {"[1]", "[-1]"}) {
      const EngineResult result =
          engine({QStringLiteral("verify"), QStringLiteral("sample:control-flow"), QStringLiteral("--no-executor"),
                  QStringLiteral("--output"), QLatin1String(path)});
      QVERIFY2(result.code == 0, qPrintable(result.err));
    }
  }

  void valuesCanBeDrawnWhereAModelTakesThem() {
    const EngineResult result =
        engine({QStringLiteral("verify"), modelFile("probabilities.pt"), QStringLiteral("--no-executor"),
                QStringLiteral("--input"), QStringLiteral("float32[8,4]"), QStringLiteral("float32[8,1]<1")});
    QVERIFY2(result.code == 0, qPrintable(result.err));
  }

  void aSampleIsVerifiedWithItsOwnInputs() {
    const EngineResult result = engine({QStringLiteral("verify"), QStringLiteral("sample:mlp")});
    QCOMPARE(result.code, 0);
    QVERIFY2(result.out.contains(QLatin1String("Identical to LibTorch, to the bit.")), qPrintable(result.out));
    QVERIFY2(result.out.contains(QLatin1String("LibTorch's optimising executor")), qPrintable(result.out));
    QVERIFY(!engine({QStringLiteral("verify"), QStringLiteral("sample:mlp"), QStringLiteral("--no-executor")})
                 .out.contains(QLatin1String("executor")));
  }

  void findingsAreLoggedOnceAlsoBesideJson() {
    const QString policy = written(QStringLiteral("p.json"),
                                   R"({"binade_policy":1,"base":"cpu-amp","low":"bfloat16","execution":"emulated",
                                       "ops":{"aten::gelu":"float32"}})");
    QStringList arguments{QStringLiteral("train"), runFile(), QStringLiteral("--policy"), policy};
    const EngineResult text = engine(arguments);
    QVERIFY2(text.out.contains(QLatin1String(", bfloat16 emulated (same rounding")), qPrintable(text.out));
    const EngineResult json = engine(arguments << QStringLiteral("--json"));
    for (const EngineResult& result : {text, json}) {
      QCOMPARE((result.out + result.err).count(QLatin1String("ops[\"aten::gelu\"]")), 1);
    }
    QCOMPARE(json.lines().first().value(QLatin1String("execution")).toString(), QStringLiteral("emulated"));
  }

  void samplesAreListedAsObjectsToo() {
    const QList<QJsonObject> lines = engine({QStringLiteral("sample"), QStringLiteral("--json")}).lines();
    QCOMPARE(lines.size(), 8);
    for (const QJsonObject& line : lines) {
      QCOMPARE(line.value(QLatin1String("event")).toString(), QStringLiteral("sample"));
      QVERIFY(!line.value(QLatin1String("name")).toString().isEmpty());
      QVERIFY(!line.value(QLatin1String("inputs")).toArray().isEmpty());
    }
  }

  void verifySaysWhereNoGradientWasCompared() {
    const QString none = QStringLiteral("No gradient was compared");
    const QStringList frozen{QStringLiteral("verify"), modelFile("frozen.pt"), QStringLiteral("--input"),
                             QStringLiteral("float32[2,3,8,8]")};
    const EngineResult result = engine(frozen);
    QCOMPARE(result.code, 0);
    QVERIFY2(result.out.contains(none), qPrintable(result.out));
    QVERIFY(!engine({QStringLiteral("verify"), QStringLiteral("sample:mlp"), QStringLiteral("--input"),
                     QStringLiteral("float32[2,1,28,28]")})
                 .out.contains(none));
  }

  void inspectListsWhatIsThere() {
    const QList<QJsonObject> lines =
        engine({QStringLiteral("inspect"), QStringLiteral("sample:cnn"), QStringLiteral("--json")}).lines();
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0].value(QLatin1String("event")).toString(), QStringLiteral("model"));
    QCOMPARE(lines[0].value(QLatin1String("sites")).toArray().size(), 14);
    QCOMPARE(lines[0].value(QLatin1String("parameters")).toArray().size(), 12);
    QCOMPARE(lines[0].value(QLatin1String("inputs")).toArray().size(), 1);
    const EngineResult warned = engine({QStringLiteral("inspect"), modelFile("frozen.pt")});
    QCOMPARE(warned.code, 0);
    QVERIFY(warned.out.contains(QLatin1String("it is frozen")));
    const EngineResult text = engine({QStringLiteral("inspect"), QStringLiteral("sample:cnn")});
    QVERIFY2(text.out.contains(QLatin1String("14 op calls in forward; training adds those of its loss")),
             qPrintable(text.out));
    QVERIFY2(text.out.contains(QLatin1String("  lower         arguments are cast to the policy's low format")),
             qPrintable(text.out));
  }

  void dataShowsTheFirstBatch() {
    const QList<QJsonObject> lines = engine({QStringLiteral("data"), runFile(), QStringLiteral("--json")}).lines();
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0].value(QLatin1String("event")).toString(), QStringLiteral("data"));
    const QJsonArray columns = lines[0].value(QLatin1String("columns")).toArray();
    QCOMPARE(columns.size(), 2);
    QCOMPARE(columns[0].toObject().value(QLatin1String("name")).toString(), QStringLiteral("x"));
    QCOMPARE(columns[0].toObject().value(QLatin1String("shape")).toArray().size(), 4);
    QCOMPARE(columns[1].toObject().value(QLatin1String("target")).toBool(), true);
    const EngineResult text = engine({QStringLiteral("data"), runFile()});
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains(QLatin1String("float32[8,1,28,28]")), qPrintable(text.out));
  }

  void castsTellsWhatAnEditedPolicyRemoves() {
    const QString run =
        runFile({{QStringLiteral("policy"), QJsonObject{{QStringLiteral("binade_policy"), 1},
                                                        {QStringLiteral("base"), QStringLiteral("cpu-amp")}}}});
    const QString edited = written(QStringLiteral("wide.policy.json"),
                                   R"({"binade_policy": 1, "base": "cpu-amp", "ops": {"aten::linear": "float32"}})");
    const EngineResult result = engine({QStringLiteral("casts"), run, QStringLiteral("--edited"), edited,
                                        QStringLiteral("--steps"), QStringLiteral("1")});
    QCOMPARE(result.code, 0);
    QVERIFY2(result.out.contains(QStringLiteral("  no longer: fc1/aten::linear#0 weight to bfloat16")),
             qPrintable(result.out));

    const EngineResult missing =
        engine({QStringLiteral("casts"), run, QStringLiteral("--edited"), QStringLiteral("no.policy.json")});
    QCOMPARE(missing.code, 1);
    QCOMPARE(missing.out, QString());  // nothing was trained before it was told
  }

  void aSampleIsWrittenOnceAndNeverOver() {
    const QString file = test::temporaryFolder() + QStringLiteral("/m.pt");
    const QStringList arguments{QStringLiteral("sample"), QStringLiteral("resnet"), QStringLiteral("--out"), file};
    QCOMPARE(engine(arguments).code, 0);
    const EngineResult again = engine(arguments);
    QCOMPARE(again.code, 2);
    QVERIFY(again.err.contains(QLatin1String("already exists")));
    QCOMPARE(engine({QStringLiteral("inspect"), file}).code, 0);
  }

  void aSampleThatFindsNoRoomIsNotLeftInHalves() {
    const QString folder = test::temporaryFolder() + QStringLiteral("/small");
    QVERIFY(QDir().mkpath(folder));
    QProcess process;  // no file may grow beyond 1 kB, as on a full disk
    process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"),
                                              QStringLiteral("trap '' XFSZ; ulimit -f 2; exec " BINADE_BIN_DIR
                                                             "/binade-engine sample cnn --out \"$0\""),
                                              folder + QStringLiteral("/cnn.pt")});
    QVERIFY(process.waitForFinished(60000));
    const QByteArray told = process.readAllStandardError();
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QVERIFY2(process.exitCode() == 1, told);
    QVERIFY2(told.contains("cnn.pt") && told.contains("cannot be written"), told);
    QVERIFY(QDir(folder).isEmpty());
  }

  void trainPrintsOneObjectALine() {
    const EngineResult result = engine({QStringLiteral("train"), runFile(), QStringLiteral("--json")});
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QStringList events;
    for (const QJsonObject& line : result.lines()) events.append(line.value(QLatin1String("event")).toString());
    QCOMPARE(events.first(), QStringLiteral("started"));
    QCOMPARE(events.count(QStringLiteral("step")), 5);
    QVERIFY(events.contains(QStringLiteral("evaluated")));
    QCOMPARE(events.last(), QStringLiteral("finished"));
    for (const QJsonObject& line : result.lines()) {
      if (line.value(QLatin1String("event")).toString() != QLatin1String("step")) continue;
      for (const char* field : {"step", "loss", "scale", "found_inf", "stepped", "seconds"}) {
        QVERIFY2(line.contains(QLatin1String(field)), field);
      }
    }
    QCOMPARE(result.lines().last().value(QLatin1String("outcome")).toString(), QStringLiteral("completed"));
    for (const QJsonObject& line : result.lines()) QVERIFY(!line.contains(QLatin1String("accuracy")));  // labels drawn
  }

  void trainTellsOfArgumentsAndParameters() {
    const QJsonObject observe{{QStringLiteral("every"), 1},
                              {QStringLiteral("inputs"), true},
                              {QStringLiteral("level"), QStringLiteral("range")}};
    const QString run = runFile({{QStringLiteral("observe"), observe}});
    const EngineResult result = engine({QStringLiteral("train"), run, QStringLiteral("--json")});
    QVERIFY2(result.code == 0, qPrintable(result.err));
    int lines = 0;
    QSet<QString> kinds;
    for (const QJsonObject& line : result.lines()) {
      if (line.value(QLatin1String("event")).toString() != QLatin1String("watched")) continue;
      ++lines;
      const QJsonArray tensors = line.value(QLatin1String("tensors")).toArray();
      for (int i = 0; i < tensors.size(); ++i) {
        const QJsonObject tensor = tensors[i].toObject();
        kinds.insert(tensor.value(QLatin1String("kind")).toString());
        QVERIFY(tensor.value(QLatin1String("count")).toInt() > 0);
        QVERIFY(tensor.value(QLatin1String("largest")).isDouble());
      }
    }
    QCOMPARE(lines, 5);
    QCOMPARE(kinds, (QSet<QString>{QStringLiteral("input"), QStringLiteral("parameter"),
                                   QStringLiteral("parameter_gradient")}));
    const EngineResult text = engine({QStringLiteral("train"), run});
    QVERIFY2(text.out.contains(QLatin1String("Arguments before their cast, and parameters")), qPrintable(text.out));
    QVERIFY(!text.out.contains(QLatin1String("unscaled gradient of ")));  // float32: room for anything
    QVERIFY(!engine({QStringLiteral("train"), runFile()}).out.contains(QLatin1String("before their cast")));
  }

  void whatAModelPrintsIsNoLineOfJson() {
    const QString model = test::temporaryFolder() + QStringLiteral("/printing.pt");
    test::writePrintingModel(model.toStdString());
    const QJsonObject data{{QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,8]")}}};
    const EngineResult result =
        engine({QStringLiteral("train"), runFile({{QStringLiteral("model"), model}, {QStringLiteral("data"), data}}),
                QStringLiteral("--json")});
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY(result.err.contains(QLatin1String("model: THE MODEL SPEAKS 8\n")));
    const QStringList lines = result.out.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QVERIFY(!lines.isEmpty());
    for (const QString& line : lines) QVERIFY2(QJsonDocument::fromJson(line.toUtf8()).isObject(), qPrintable(line));
  }

  void trainWithoutJsonShowsThatItMoves() {
    const EngineResult result = engine({QStringLiteral("train"), runFile({{QStringLiteral("steps"), 100}})});
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY2(result.out.contains(QLatin1String("op calls, 3 of them in the loss, 100 steps")), qPrintable(result.out));
    QVERIFY2(result.out.contains(QLatin1String("\nstep 0: loss ")), qPrintable(result.out));
    QVERIFY2(result.out.contains(QLatin1String("\nstep 99: loss ")), qPrintable(result.out));
    const auto steps = result.out.count(QLatin1String(": loss "));
    QVERIFY2(steps >= 15 && steps <= 40, qPrintable(result.out));
    QVERIFY(!result.out.contains(QLatin1String("accuracy")));
    QVERIFY2(result.out.contains(QLatin1String("completed after 100 steps, ")), qPrintable(result.out));
  }

  void aRunThatCannotStartLeavesNoFile() {
    const QString file = test::temporaryFolder() + QStringLiteral("/run.binade");
    const EngineResult result =
        engine({QStringLiteral("train"), runFile({{QStringLiteral("model"), QStringLiteral("no.pt")}}),
                QStringLiteral("--run-file"), file});
    QCOMPARE(result.code, 1);
    QVERIFY(!QFile::exists(file));
  }

  void aRunRepeatsForItsSeed() {
    const auto losses = [](int seed) {
      QList<double> all;
      const EngineResult result =
          engine({QStringLiteral("train"), runFile(), QStringLiteral("--json"), QStringLiteral("--seed"),
                  QString::number(seed), QStringLiteral("--run-file"), QStringLiteral("none")});
      for (const QJsonObject& line : result.lines()) {
        if (line.contains(QLatin1String("loss"))) all.append(line.value(QLatin1String("loss")).toDouble());
      }
      return all;
    };
    const QList<double> first = losses(3);
    QVERIFY(!first.isEmpty());
    QCOMPARE(losses(3), first);
    QVERIFY(losses(4) != first);
  }

  void dataRefusesWhatTrainingWould_data() {
    QTest::addColumn<QJsonObject>("more");
    QTest::addColumn<QString>("says");
    const QJsonArray inputs{QStringLiteral("float32[8,1,28,28]")};
    QTest::newRow("labels beyond the classes")
        << QJsonObject{{QStringLiteral("data"),
                        QJsonObject{{QStringLiteral("inputs"), inputs}, {QStringLiteral("classes"), 20}}}}
        << QStringLiteral("has 10 classes, but the largest label is 19");
    QTest::newRow("an output that is none")
        << QJsonObject{{QStringLiteral("output"), QStringLiteral("logits")}} << QStringLiteral("output \"logits\"");
    QTest::newRow("weights that are not there")
        << QJsonObject{{QStringLiteral("weights"), QStringLiteral("none.safetensors")}}
        << QStringLiteral("none.safetensors does not exist");
  }
  void dataRefusesWhatTrainingWould() {
    QFETCH(const QJsonObject, more);
    QFETCH(const QString, says);
    const QString run = runFile(more);
    const EngineResult train = engine({QStringLiteral("train"), run});
    const EngineResult data = engine({QStringLiteral("data"), run});
    QVERIFY2(data.err.contains(says), qPrintable(data.err));
    QVERIFY2(train.err.contains(says), qPrintable(train.err));
    QCOMPARE(data.code, train.code);
    QVERIFY2(data.out.contains(QLatin1String("The first batch")), "what there is to see is shown all the same");
  }

  void compareTakesACheckpointOrTheNewestOfAFolder() {
    const QString folder = test::temporaryFolder() + QStringLiteral("/kept");
    const QString run = runFile({{QStringLiteral("checkpoint"),
                                  QJsonObject{{QStringLiteral("folder"), folder}, {QStringLiteral("every"), 2}}}});
    QCOMPARE(engine({QStringLiteral("train"), run}).code, 0);
    const auto step = [&](const QString& resume) {
      const EngineResult result =
          engine({QStringLiteral("compare"), runFile(), QStringLiteral("--resume"), resume, QStringLiteral("--json")});
      return result.lines().value(0).value(QLatin1String("step")).toInt(-1);
    };
    QCOMPARE(step(folder), 5);
    QCOMPARE(step(folder + QStringLiteral("/step-00000004.safetensors")), 4);
    // A policy that is asked for goes before the checkpoint's.
    const EngineResult same = engine({QStringLiteral("compare"), runFile(), QStringLiteral("--resume"), folder,
                                      QStringLiteral("--policy"), QStringLiteral("all-float32")});
    QVERIFY2(same.out.contains(QLatin1String("No op call adds an error")), qPrintable(same.out));
  }

  void helpNamesEveryCommand() {
    const EngineResult help = engine({QStringLiteral("--help")});
    QCOMPARE(help.code, 0);
    for (const char* command : {"inspect", "sample", "train", "demo", "verify", "policy", "probe", "serve"}) {
      QVERIFY2(help.out.contains(QLatin1String(command)), command);
      const EngineResult own = engine({QLatin1String(command), QStringLiteral("--help")});
      QCOMPARE(own.code, 0);
      QVERIFY(own.out.contains(QLatin1String("Usage")));
      QVERIFY2(!own.out.contains(QLatin1String("\n\n\n")), qPrintable(own.out));
      for (const char* raw : {"{false}", "{true}", "--executor,"}) QVERIFY2(!own.out.contains(QLatin1String(raw)), raw);
      const bool takes_model = own.out.section(QLatin1Char('\n'), 0, 4).contains(QLatin1String("MODEL"));
      QCOMPARE(own.out.contains(QLatin1String("MODEL")), takes_model);
    }
  }
};

BINADE_SUITE(TestCommands);
#include "tst_commands.moc"
