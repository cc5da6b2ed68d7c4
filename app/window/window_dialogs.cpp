// SPDX-License-Identifier: Apache-2.0
#include "app/window/window_dialogs.h"

#include "app/docks/sites_dock.h"
#include "app/model/site_name.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/arrangement_hint.h"
#include "app/window/command_palette.h"
#include "app/window/connect_dialog.h"
#include "app/window/diagnostics_dialog.h"
#include "app/window/dock_set.h"
#include "app/window/main_window.h"
#include "app/window/settings_dialog.h"
#include "app/window/shortcuts_dialog.h"
#include "app/window/start_page.h"
#include "app/window/trust_dialog.h"
#include "app/window/trusted_models_dialog.h"
#include "app/window/unconfined_dialog.h"

#include <QCoreApplication>
#include <QDir>
#include <QMessageBox>
#include <QWhatsThis>

#include <vector>

namespace binade::app {

WindowDialogs::WindowDialogs(MainWindow* window, Session* session, QSettings* settings)
    : QObject(window),
      window_(window),
      session_(session),
      settings_(settings),
      hint_(new ArrangementHint(settings, window->statusBar())) {
  const Actions* actions = window_->actions();
  connect(actions->connect_engine, &QAction::triggered, this, &WindowDialogs::connectEngine);
  connect(actions->own_engine, &QAction::triggered, this, &WindowDialogs::useOwnEngine);
  connect(actions->settings, &QAction::triggered, this, &WindowDialogs::showSettings);
  connect(actions->save_diagnostics, &QAction::triggered, this, &WindowDialogs::showDiagnostics);
  connect(actions->palette, &QAction::triggered, this, &WindowDialogs::showPalette);
  connect(actions->show_hints, &QAction::triggered, this, [this] {
    hint_->forget();
    updateHint();
  });
  connect(actions->shortcuts, &QAction::triggered, this, &WindowDialogs::showShortcuts);
  connect(actions->whats_this, &QAction::triggered, this, [] { QWhatsThis::enterWhatsThisMode(); });
  connect(actions->about, &QAction::triggered, this, &WindowDialogs::showAbout);
  connect(session_, &Session::modelRefused, this, &WindowDialogs::askTrust);
  connect(session_, &Session::engineNotConfined, this, &WindowDialogs::askUnconfined);
}

void WindowDialogs::updateHint() {
  window_->showsRun() ? hint_->showFor(window_->arrangement()) : hint_->hide();
}

void WindowDialogs::connectEngine() {
  auto* dialog = new ConnectDialog(session_, settings_, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ConnectDialog::connected, this, [this](const QString& host) {
    Q_EMIT notice(tr("The engine of %1 is used.").arg(host),
                  tr("Names of models, data and run files are names of files on %1.").arg(host));
  });
  connect(dialog, &ConnectDialog::ownEngineRequested, this, &WindowDialogs::useOwnEngine);
  dialog->open();
}

void WindowDialogs::useOwnEngine() {
  session_->connectTo(confinedAsWanted(engineCommand({}), preferences(*settings_)));
  Q_EMIT notice(tr("The engine of this computer is used."), {});
}

void WindowDialogs::askTrust(const QString& file, const Problem& problem) {
  // Session::trustRefusedModel() trusts the newest, so that an older dialog must not be accepted.
  for (auto* older : window_->findChildren<TrustDialog*>()) older->reject();
  auto* dialog = new TrustDialog(file, problem, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, session_, &Session::trustRefusedModel);
  dialog->open();
}

void WindowDialogs::askUnconfined(const QString& why) {
  if (preferences(*settings_).unconfined != Unconfined::kAsk) return;  // the problem that is shown names the settings
  if (window_->findChild<UnconfinedDialog*>() != nullptr) return;      // an earlier start has asked
  auto* dialog = new UnconfinedDialog(session_->host(), why, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &UnconfinedDialog::answered, this, [this](bool start) {
    Preferences wanted = preferences(*settings_);
    wanted.unconfined = start ? Unconfined::kStart : Unconfined::kDoNotStart;
    storePreferences(*settings_, wanted);
    if (start) session_->connectTo(confinedAsWanted(session_->engine().command(), wanted));
  });
  dialog->open();
}

void WindowDialogs::showPalette() {
  std::vector<CommandPalette::Entry> entries;
  for (QAction* action : window_->actions()->all()) {
    if (action != window_->actions()->palette) entries.push_back(paletteEntry(action));
  }
  for (Dock* dock : window_->docks()->all()) {
    if (!dock->toggleViewAction()->isVisible()) continue;  // not for this run
    CommandPalette::Entry entry = paletteEntry(dock->toggleViewAction(), tr("Show: "));
    if (!entry.possible) entry.why_not = tr("No charts are shown.");
    entry.run = [dock] { DockSet::raise(dock); };
    entries.push_back(std::move(entry));
  }
  const auto& sites = session_->run().sites();
  for (std::size_t i = 0; i < sites.size() && window_->showsRun(); ++i) {
    entries.push_back({tr("Op call: ") + callText(sites[i].key), {}, {}, true, [this, site = static_cast<int>(i)] {
                         session_->selection().setSites({site});
                         DockSet::raise(window_->docks()->sites);
                       }});
  }
  (new CommandPalette(std::move(entries), window_))->open();
}

void WindowDialogs::showSettings() {
  auto* dialog = new SettingsDialog(settings_, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &SettingsDialog::trustedModelsRequested, this, [this, dialog] {
    auto* list = new TrustedModelsDialog(&session_->engine(), dialog);
    list->setAttribute(Qt::WA_DeleteOnClose);
    list->open();
  });
  connect(dialog, &SettingsDialog::stored, this, [this](bool engine) {
    updateHint();
    if (!engine) return;
    const Preferences wanted = preferences(*settings_);
    session_->connectTo(confinedAsWanted(engineCommand(wanted.engine), wanted));
  });
  dialog->open();
}

void WindowDialogs::showDiagnostics() {
  auto* dialog = new DiagnosticsDialog(session_, settings_, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &DiagnosticsDialog::problem, this, &WindowDialogs::problem);
  connect(dialog, &DiagnosticsDialog::saved, this, [this](const QString& file) {
    Q_EMIT notice(tr("The diagnostics were written to %1.").arg(QDir::toNativeSeparators(file)), {});
  });
  dialog->open();
}

void WindowDialogs::showShortcuts() {
  QList<QAction*> all = window_->actions()->all();
  for (Dock* dock : window_->docks()->all()) all << dock->toggleViewAction();
  all << window_->startPage()->doors();
  (new ShortcutsDialog(all, window_))->open();
}

void WindowDialogs::showAbout() {
  QMessageBox::about(window_, tr("About Binade"),
                     tr("<b>Binade %1</b><p>An interactive precision explorer for mixed-precision training.</p>"
                        "<p>A binade is the set of numbers that share an exponent.</p><p>Apache License 2.0</p>")
                         .arg(QCoreApplication::applicationVersion()));
}

}  // namespace binade::app
