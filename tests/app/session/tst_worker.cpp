// SPDX-License-Identifier: Apache-2.0
#include "app/session/worker.h"
#include "tests/support/suite.h"

#include <QEventLoop>
#include <QTest>
#include <QThread>

#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace binade;
using app::Worker;

class Workers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void resultsComeInOrderOnTheThreadOfTheWorker() {
    Worker worker;
    QEventLoop loop;
    std::vector<int> got;
    bool here = true;
    for (int task = 0; task < 20; ++task) {
      worker.run([&, task](const Worker::Caller& caller) {
        for (int part = 0; part < 5; ++part) {
          const int number = 5 * task + part;
          caller.post([&, number] {
            here = here && QThread::currentThread() == worker.thread();
            got.push_back(number);
            if (number == 99) loop.quit();
          });
        }
      });
    }
    loop.exec();
    QVERIFY(here);
    QCOMPARE(got.size(), std::size_t{100});
    for (int i = 0; i < 100; ++i) QCOMPARE(got[static_cast<std::size_t>(i)], i);
  }

  void otherEventsAreDeliveredWhileATaskRuns() {
    Worker worker;
    QEventLoop loop;
    std::promise<void> delivered;
    bool done = false;
    worker.run([&, wait = delivered.get_future().share()](const Worker::Caller& caller) {
      wait.wait();  // for ever, if the task kept the event loop from running
      caller.post([&] {
        done = true;
        loop.quit();
      });
    });
    QMetaObject::invokeMethod(
        &loop, [&] { delivered.set_value(); }, Qt::QueuedConnection);
    loop.exec();
    QVERIFY(done);
  }

  void cancelDropsTasksAndResults() {
    Worker worker;
    QEventLoop loop;
    std::promise<void> begun;
    bool dropped = true;
    const auto wrong = [&dropped] { dropped = false; };
    worker.run([&](const Worker::Caller& caller) {
      caller.post(wrong);
      begun.set_value();
      while (caller.isWaiting()) std::this_thread::yield();
      caller.post(wrong);
    });
    worker.run([&](const Worker::Caller& /*caller*/) { wrong(); });
    begun.get_future().wait();
    worker.cancel();
    worker.run([&](const Worker::Caller& caller) { caller.post([&] { loop.quit(); }); });
    loop.exec();
    QVERIFY(dropped);
  }

  void aResultMayDeleteTheWorker() {
    auto worker = std::make_unique<Worker>();
    QEventLoop loop;
    bool after = false;
    worker->run([&](const Worker::Caller& caller) {
      caller.post([&] {
        worker.reset();
        loop.quit();
      });
      caller.post([&] { after = true; });
    });
    loop.exec();
    QCoreApplication::processEvents();
    QVERIFY(!after);
  }

  void theEndWaitsForTheTask() {
    std::promise<void> begun;
    bool ended = false;
    {
      Worker worker;
      worker.run([&](const Worker::Caller& caller) {
        begun.set_value();
        while (caller.isWaiting()) std::this_thread::yield();
        ended = true;
      });
      begun.get_future().wait();
    }
    QVERIFY(ended);
  }

  void moreTasksThanMayWaitAllRun() {
    Worker worker;
    QEventLoop loop;
    int run = 0;
    const int all = 3 * static_cast<int>(Worker::kMostWaiting);
    for (int task = 0; task < all; ++task) {
      worker.run([&](const Worker::Caller& caller) {
        caller.post([&] {
          if (++run == all) loop.quit();
        });
      });
    }
    loop.exec();
    QCOMPARE(run, all);
  }
};

BINADE_SUITE(Workers);

}  // namespace

#include "tst_worker.moc"
