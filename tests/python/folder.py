"""Tests that write files do so in a folder of their own."""

import os
import tempfile
import unittest


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.old = os.getcwd()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir(self.old)
        self.folder.cleanup()
