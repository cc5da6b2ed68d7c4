// SPDX-License-Identifier: Apache-2.0
// What `launch` gives to its ranks, and what it prints for the user to go on with.
#include "engine/host/commands/launch_arguments.h"
#include "engine/host/commands/rank_errors.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QTest>

using namespace binade;

class LaunchArguments : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aResumeRepeatsTheOptionsThatWereGiven() {
    host::LaunchOptions options;
    options.ranks = 4;
    options.train.run = "my run.json";
    options.train.policy = "it's.policy.json";
    options.train.rank_timeout = 0.5;
    options.train.run_file = "none";
    options.keep_going = true;
    QCOMPARE(host::resume_command(options, {}, "kept/step-00000007.safetensors"),
             std::string("binade-engine launch 'my run.json' --ranks 4 --run-file none --policy 'it'\\''s.policy.json' "
                         "--resume kept/step-00000007.safetensors --rank-timeout 0.5 --keep-going"));
    QCOMPARE(host::rank_arguments(options),
             (std::vector<std::string>{"binade-engine", "train", "my run.json", "--run-file", "none", "--policy",
                                       "it's.policy.json", "--rank-timeout", "0.5"}));
  }

  void aResumeRecordsToAFileThatDoesNotExist() {
    const QString folder = test::temporaryFolder();
    const auto record = [&folder](const char* name) { return (folder + QLatin1String(name)).toStdString(); };
    host::LaunchOptions options;
    options.ranks = 2;
    options.train.run = "run.json";
    wire::RunConfig run;
    run.run_file = record("/a.binade");
    const auto command = [&] { return QString::fromStdString(host::resume_command(options, run, "c")); };
    QVERIFY(!command().contains(QLatin1String("--run-file")));  // the description names a file that is free
    for (const char* name : {"/a.binade", "/a-resumed.binade"}) {
      QFile file(folder + QLatin1String(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QVERIFY2(command().contains(QString::fromStdString("--run-file " + record("/a-resumed-2.binade"))),
             qPrintable(command()));
  }

  void ranksAreNamedShortly() {
    QCOMPARE(host::named_ranks({2}), std::string("Rank 2"));
    QCOMPARE(host::named_ranks({0, 1}), std::string("Ranks 0 and 1"));
    QCOMPARE(host::named_ranks({0, 1, 2, 3}), std::string("Ranks 0 to 3"));
    QCOMPARE(host::named_ranks({0, 2, 5}), std::string("Ranks 0, 2 and 5"));
  }
};

BINADE_SUITE(LaunchArguments);
#include "tst_launch_arguments.moc"
